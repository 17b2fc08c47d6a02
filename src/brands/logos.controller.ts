import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Public } from '../access/access.decorators.js';
import { Sends } from '../platform/http/sends/sends.js';
import { BrandsService } from './brands.service.js';

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
