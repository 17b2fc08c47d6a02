import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { AllowDomainDto, OriginListDto } from './dto/origins.dto.js';
import { OriginsService } from './origins.service.js';

@Controller('api/v1/forms/:identifier/origins')
export class OriginsController {
  constructor(private readonly origins: OriginsService) {}

  /** List recent origins of submissions, and whether `whitelisted_domains` allows them. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
  ): Promise<OriginListDto> {
    return OriginListDto.of(await this.origins.list(principal, identifier));
  }

  /** Add a domain to `whitelisted_domains`. Where that is null every domain is allowed, and stays so. */
  @Post()
  @HttpCode(200)
  @Requires('forms:write')
  async allow(
    @CurrentPrincipal() principal: Principal,
    @Param('identifier') identifier: string,
    @Body() { domain }: AllowDomainDto,
  ): Promise<OriginListDto> {
    return OriginListDto.of(await this.origins.allow(principal, identifier, domain));
  }
}
