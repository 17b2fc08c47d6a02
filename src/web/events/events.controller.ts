import { Get, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Allows, CurrentPrincipal } from '../../accounts/access/access.decorators.js';
import { Principal } from '../../accounts/access/principal.js';
import type { PageRequest } from '../../people/auth/session.guard.js';
import { sessionSecretOf } from '../../people/auth/session.cookie.js';
import { EventStreams } from './event-streams.js';
import { SignInService } from '../../people/sign-in/sign-in.service.js';
import { addressOf } from '../../platform/http/requests/requests.js';
import { Config } from '../../platform/config/config.js';
import { WebController } from '../kit/web-controller.js';

/** Tells the pages of a browser when to look again. */
@WebController('events')
export class EventPagesController {
  constructor(
    private readonly streams: EventStreams,
    private readonly people: SignInService,
    private readonly config: Config,
  ) {}

  /** Listen to what changes in the forms that the person sees. */
  @Get()
  @Allows('see')
  listen(
    @CurrentPrincipal() principal: Principal,
    @Req() request: PageRequest,
    @Res() response: Response,
  ): Promise<void> {
    const secret = sessionSecretOf(request, this.config) ?? '';
    const address = addressOf(request, this.config);
    const listener = {
      holder: `session ${request.signedIn?.session.id.toString('hex') ?? ''}`,
      scope: principal,
      by: principal.by,
      // An open page alone does not keep a session alive.
      now: async () => (await this.people.recognise(secret, address, false))?.principal ?? null,
    };
    return this.streams.serve(listener, response);
  }
}
