import { Body, Controller, Get, Patch, Param, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  CurrentPrincipal,
  OfRecord,
  RoutesRequire,
  Public,
  Principal,
  type Scope,
} from '../../accounts/access/index.js';
import { Config } from '../../platform/index.js';
import { BrandsService, type Brand, pathOf, ClientSenders } from './brands.service.js';
import { BrandAnswerDto, ChangeBrandDto, ChangeClientBrandDto, ChangeSenderDto, SenderAnswerDto } from './brand.dto.js';
import type { ClientBrand } from './model/brand.entity.js';
import { Sends } from '../../platform/http/index.js';

/** Shows and changes how an account looks to its clients and to visitors. */
@Controller('api/v1/account/brand')
@RoutesRequire('forms:read', 'tokens:write')
export class BrandController {
  constructor(
    private readonly brands: BrandsService,
    private readonly config: Config,
  ) {}

  /** Show the branding of the account: name, logo, color and reply address. A client sees its own. */
  @Get()
  async show(@CurrentPrincipal() principal: Principal): Promise<BrandAnswerDto> {
    return this.answer(principal, await this.brands.of(principal));
  }

  /** Change logo, color or reply address; needs a token of the account with all rights. */
  @Patch()
  async change(@CurrentPrincipal() principal: Principal, @Body() body: ChangeBrandDto): Promise<BrandAnswerDto> {
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
@RoutesRequire('clients:read', 'clients:write')
export class ClientBrandController {
  constructor(private readonly known: BrandsService) {}

  /** Show the branding of a client. What is null is as the account has it. */
  @Get()
  async show(@OfRecord() { principal, id }: OfRecord): Promise<BrandAnswerDto> {
    return this.answer(principal, await this.known.showOfClient(principal, id));
  }

  /** Change the branding of a client. Absent fields stay as they are; null takes what the account has. */
  @Put()
  async change(@OfRecord() { principal, id }: OfRecord, @Body() body: ChangeClientBrandDto): Promise<BrandAnswerDto> {
    const changes = ChangeClientBrandDto.changes(body);
    return this.answer(principal, await this.known.changeOfClient(principal, id, changes));
  }

  private async answer({ accountId }: Principal, own: ClientBrand): Promise<BrandAnswerDto> {
    const { clientId, name, colour, replyTo, logoDigest } = own;
    const brand = { name, colour, replyTo, logoPath: logoDigest && pathOf(logoDigest) };
    const signInPath = await this.known.signInPath({ accountId, clientId });
    const { baseUrl } = await this.known.of({ accountId, clientId });
    return BrandAnswerDto.of(brand, signInPath, baseUrl);
  }
}

/** Shows and changes whom the mails for a client come from. */
@Controller('api/v1/clients/:id/sender')
@RoutesRequire('clients:read', 'clients:write')
export class ClientSenderController {
  constructor(private readonly senders: ClientSenders) {}

  /** Show the sender of a client, without the address of its mail server. */
  @Get()
  async show(@OfRecord() { principal, id }: OfRecord): Promise<SenderAnswerDto> {
    return SenderAnswerDto.of(await this.senders.show(principal, id));
  }

  /**
   * Change the sender of a client. Without a mail server of its own, its address is used where MAIL_FROM_DOMAINS lists the domain,
   * and is the Reply-To address otherwise.
   */
  @Put()
  async change(@OfRecord() { principal, id }: OfRecord, @Body() body: ChangeSenderDto): Promise<SenderAnswerDto> {
    const changes = ChangeSenderDto.changes(body);
    return SenderAnswerDto.of(await this.senders.change(principal, id, changes));
  }
}

/** A year, the longest that RFC 9111 expects caches to keep anything: another logo has another address. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the logos of accounts, under the digests of their bytes. */
@Controller('files/logos')
@Public()
export class LogosController {
  constructor(private readonly brands: BrandsService) {}

  /** Serve a logo as the image type of its first bytes. */
  @Get(':digest')
  @Sends('image/png', { binary: true })
  async serve(@Param('digest') digest: string, @Res() response: Response): Promise<void> {
    const { type, bytes } = await this.brands.logo(digest);
    response.set({
      'Cache-Control': FOR_EVER,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Pages of forms may be framed by other sites, and the logo with them.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.type(type).end(bytes);
  }
}
