import { Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Principal } from '../../access/principal.js';
import { Frames } from '../layout/frames.js';
import { sendPage } from '../layout/send-page.js';
import { Troubles } from '../layout/troubles.js';
import { WebController } from '../layout/web-controller.js';
import { StatusPage } from './status.page.js';

/** What needs attention, for people in a browser. */
@WebController('status')
export class StatusController {
  constructor(
    private readonly troubles: Troubles,
    private readonly frames: Frames,
  ) {}

  /** List the forms that need attention. */
  @Get()
  @Requires('forms:read')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const troubles = await this.troubles.of(principal);
    const mayChange = principal.has('forms:write');
    const frame = await this.frames.of(request, response);
    sendPage(response, StatusPage({ frame, troubles, mayChange }));
  }
}
