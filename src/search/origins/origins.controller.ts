import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { RoutesRequire, InForm } from '../../accounts/access/index.js';
import { AllowDomainDto, OriginListDto } from './origins.dto.js';
import { OriginsService } from './origins.service.js';

@Controller('api/v1/forms/:identifier/origins')
@RoutesRequire('forms:read', 'forms:write')
export class OriginsController {
  constructor(private readonly origins: OriginsService) {}

  /** List recent origins of submissions, and whether `whitelisted_domains` allows them. */
  @Get()
  async list(@InForm() { principal, identifier }: InForm): Promise<OriginListDto> {
    return OriginListDto.of(await this.origins.list(principal, identifier));
  }

  /** Add a domain to `whitelisted_domains`. Where that is null every domain is allowed, and stays so. */
  @Post()
  @HttpCode(200)
  async allow(@InForm() { principal, identifier }: InForm, @Body() { domain }: AllowDomainDto): Promise<OriginListDto> {
    return OriginListDto.of(await this.origins.allow(principal, identifier, domain));
  }
}
