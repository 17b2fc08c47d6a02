import { Body, Controller, Get, Patch } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal, type Scope } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { BrandsService, type Brand } from './brands.service.js';
import { BrandAnswerDto, ChangeBrandDto } from './dto/brand.dto.js';

/** Shows and changes how an account looks to its clients and to visitors. */
@Controller('api/v1/account/brand')
export class BrandController {
  constructor(
    private readonly brands: BrandsService,
    private readonly config: Config,
  ) {}

  /** Show the branding of the account: name, logo, color and reply address. A client sees its own. */
  @Get()
  @Requires('forms:read')
  async show(@CurrentPrincipal() principal: Principal): Promise<BrandAnswerDto> {
    return this.answer(principal, await this.brands.of(principal));
  }

  /** Change logo, color or reply address; needs a token of the account with all rights. */
  @Patch()
  @Requires('tokens:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Body() body: ChangeBrandDto,
  ): Promise<BrandAnswerDto> {
    const changes = ChangeBrandDto.changes(body);
    const brand = await this.brands.change(principal, changes, 'brand.logo');
    return this.answer(principal, brand);
  }

  private async answer(scope: Scope, brand: Brand): Promise<BrandAnswerDto> {
    const signInPath = await this.brands.signInPath(scope);
    return BrandAnswerDto.of(brand, signInPath, this.config.baseUrl);
  }
}
