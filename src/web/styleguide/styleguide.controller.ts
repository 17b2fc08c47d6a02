import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Allows } from '../../access/access.decorators.js';
import { Config } from '../../platform/config/config.js';
import { RouteNotFound } from '../../platform/http/errors/http.errors.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { StyleguidePage } from './styleguide.page.js';

/** Serves the components of the pages side by side, outside of production. */
@WebController('styleguide')
export class StyleguideController {
  constructor(
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Show every component. */
  @Get()
  @Allows('see')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (this.config.nodeEnv === 'production') throw new RouteNotFound();
    sendPage(response, StyleguidePage({ frame: await this.frames.of(request, response) }));
  }
}
