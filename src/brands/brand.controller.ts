import { Body, Controller, Get, Patch, Param, Put } from '@nestjs/common';
import { CurrentPrincipal, Requires } from '../access/access.decorators.js';
import { Principal, type Scope } from '../access/principal.js';
import { Config } from '../platform/config/config.js';
import { BrandsService, type Brand, pathOf } from './brands.service.js';
import { BrandAnswerDto, ChangeBrandDto, ChangeClientBrandDto } from './dto/brand.dto.js';
import { RecordId } from '../platform/http/record-id.pipe.js';
import { ClientBrandsService } from './client-brands.service.js';
import type { ClientBrand } from './model/client-brand.entity.js';

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

/** Shows and changes how a client looks to its people and to the visitors of its forms. */
@Controller('api/v1/clients/:id/brand')
export class ClientBrandController {
  constructor(
    private readonly brands: ClientBrandsService,
    private readonly known: BrandsService,
  ) {}

  /** Show the branding of a client. What is null is as the account has it. */
  @Get()
  @Requires('clients:read')
  async show(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
  ): Promise<BrandAnswerDto> {
    return this.answer(principal, await this.brands.show(principal, id));
  }

  /** Change the branding of a client. Absent fields stay as they are; null takes what the account has. */
  @Put()
  @Requires('clients:write')
  async change(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Body() body: ChangeClientBrandDto,
  ): Promise<BrandAnswerDto> {
    const changes = ChangeClientBrandDto.changes(body);
    return this.answer(principal, await this.brands.change(principal, id, changes));
  }

  private async answer({ accountId }: Principal, own: ClientBrand): Promise<BrandAnswerDto> {
    const { clientId, name, colour, replyTo, logoDigest } = own;
    const brand = { name, colour, replyTo, logoPath: logoDigest && pathOf(logoDigest) };
    const signInPath = await this.known.signInPath({ accountId, clientId });
    const { baseUrl } = await this.known.of({ accountId, clientId });
    return BrandAnswerDto.of(brand, signInPath, baseUrl);
  }
}
