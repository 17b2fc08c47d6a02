import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../access/access.decorators.js';
import { RouteNotFound } from '../../platform/http/http.errors.js';
import { ACCENT, accentStyle } from './accent.js';
import { findAsset } from './assets.js';

/** A year, the longest that RFC 9111 expects caches to keep anything. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** Serves the files that pages load. */
@ApiExcludeController()
@Controller('assets')
@Public()
export class AssetsController {
  /** Serve a file as the browser wants it compressed, or the style sheet of an account's colour. */
  @Get(':release/:name')
  serve(
    @Param('release') release: string,
    @Param('name') name: string,
    @Req() request: Request,
    @Res() response: Response,
  ): void {
    const style = release === ACCENT ? accentStyle(name) : null;
    if (style !== null) {
      response.set({ 'Cache-Control': FOR_EVER, 'Content-Type': 'text/css; charset=utf-8' });
      response.end(style);
      return;
    }
    const asset = findAsset(release, name);
    if (!asset) throw new RouteNotFound();
    response.set({
      'Cache-Control': FOR_EVER,
      Vary: 'Accept-Encoding',
      'Content-Type': asset.type,
    });
    const takes = (encoding: string) => request.acceptsEncodings(encoding) !== false;
    if (takes('br')) response.set('Content-Encoding', 'br').end(asset.brotli);
    else if (takes('gzip')) response.set('Content-Encoding', 'gzip').end(asset.gzip);
    else response.end(asset.bytes);
  }
}
