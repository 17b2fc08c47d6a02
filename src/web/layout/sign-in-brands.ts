import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { BrandsService, type Brand } from '../../brands/brands.service.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { readCookie, setCookie } from '../../auth/guarded.cookie.js';
import { Config } from '../../platform/config/config.js';
import { DAY_MS } from '../../platform/kernel/time/durations.js';

const COOKIE = 'fcs_at';
/** How long a browser shows the looks of the account whose address it opened last, in milliseconds. */
const KEPT_MS = 365 * DAY_MS;

/** Knows whose sign-in address a browser opened, now or before. */
@Injectable()
export class SignInBrands {
  constructor(
    private readonly brands: BrandsService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Returns how the client looks whose host this is, or that account, and has the browser remember it; null when there is none. */
  async of(request: Request, response: Response): Promise<Brand | null> {
    const client = await this.addresses.clientAt(request);
    if (client) return this.brands.of(client);
    const { at: opened } = request.query;
    const isOpened = typeof opened === 'string';
    const key = isOpened ? opened : readCookie(request, this.config, COOKIE);
    const brand = key === null ? null : await this.brands.findBySignInKey(key);
    if (brand && isOpened) setCookie(response, this.config, COOKIE, opened, KEPT_MS);
    return brand;
  }
}
