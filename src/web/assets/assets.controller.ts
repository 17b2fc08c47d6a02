import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../accounts/access/index.js';
import { A_DAY, FOR_EVER, RouteNotFound } from '../../platform/http/index.js';
import { ACCENT, accentStyle } from './accent.js';
import { assetNamed, findAsset } from './assets.js';

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
    asset.send(request, response, FOR_EVER);
  }

  /** Serve the mark at the address where browsers look for it by themselves, for pages that name none. */
  @Get('favicon.ico')
  icon(@Req() request: Request, @Res() response: Response): void {
    assetNamed('mark.svg').send(request, response, A_DAY);
  }
}
