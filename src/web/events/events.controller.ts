import { Get, Req, Res, Controller } from '@nestjs/common';
import type { Response } from 'express';
import { Allows, CurrentPrincipal, Requires, Principal } from '../../accounts/access/index.js';
import type { PageRequest } from '../../people/auth/session.guard.js';
import { sessionSecretOf } from '../../people/auth/session.cookie.js';
import { EventStreams, EVENT_STREAM } from './event-streams.js';
import { SignInService } from '../../people/sign-in/sign-in.service.js';
import { addressOf, Sends } from '../../platform/http/index.js';
import { Config } from '../../platform/index.js';
import { WebController } from '../kit/index.js';
import { Principals } from '../../people/auth/principals.js';

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

@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly streams: EventStreams,
    private readonly principals: Principals,
  ) {}

  /**
   * Stream changes in all forms of the token as server-sent events: `submissions` when one came, `changes` when
   * marks, notes, tags or deliveries did, `presence` when somebody whom one knows opened a submission in a
   * browser or left it. Each has the identifier of the form alone, `{"form":"0123456789abcdef"}`, at most once
   * a second; what is new is to be asked for. Send `Accept: text/event-stream`. The stream ends when the token
   * does; a token has up to 4 at once, a client 50 and an account 250.
   */
  @Get()
  @Requires('submissions:read')
  @Sends(EVENT_STREAM)
  listen(@CurrentPrincipal() principal: Principal, @Res() response: Response): Promise<void> {
    const { accountId, clientId, actor } = principal;
    const listener = {
      holder: `token ${actor.id ?? ''}`,
      scope: principal,
      now: () => this.principals.now({ accountId, clientId, actor }),
    };
    return this.streams.serve(listener, response);
  }
}
