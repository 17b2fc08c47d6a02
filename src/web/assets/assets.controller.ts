import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../accounts/access/index.js';
import { RouteNotFound } from '../../platform/http/index.js';
import { ACCENT, accentStyle } from './accent.js';
import { assetNamed, findAsset, type Asset, type Encoding } from './assets.js';

/** A year, the longest that RFC 9111 expects caches to keep anything. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** For an address that stays when its content changes. */
const A_DAY = 'public, max-age=86400';

/** For what stands in pages of other people: a correction reaches them soon. */
const AN_HOUR = 'public, max-age=3600';

/** The smallest first. */
const ENCODINGS: readonly Encoding[] = ['br', 'gzip'];

/** Serves the files that pages load. */
@ApiExcludeController()
@Controller()
@Public()
export class AssetsController {
  /** Serve a file as the browser wants it compressed, or the style sheet of an account's colour. */
  @Get('assets/:release/:name')
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
    send(request, response, asset, FOR_EVER);
  }

  /** Serve the mark at the address where browsers look for it by themselves, for pages that name none. */
  @Get('favicon.ico')
  icon(@Req() request: Request, @Res() response: Response): void {
    send(request, response, assetNamed('mark.svg'), A_DAY);
  }

  /** Serve the script that does the work which forms ask for, on pages of any origin. */
  @Get('proof-of-work.js')
  proofOfWork(@Req() request: Request, @Res() response: Response): void {
    response.set({ 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    send(request, response, assetNamed('proof-of-work.js'), AN_HOUR);
  }
}

function send(request: Request, response: Response, asset: Asset, caching: string) {
  response.set({ 'Cache-Control': caching, Vary: 'Accept-Encoding', 'Content-Type': asset.type });
  const encoding = ENCODINGS.find((each) => request.acceptsEncodings(each) !== false);
  if (encoding === undefined) response.end(asset.bytes);
  else response.set('Content-Encoding', encoding).end(asset.encoded(encoding));
}
