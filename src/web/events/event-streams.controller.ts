import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { CurrentPrincipal, Requires } from '../../accounts/access/access.decorators.js';
import { Principal } from '../../accounts/access/principal.js';
import { Principals } from '../../people/auth/principals.js';
import { Sends } from '../../platform/http/sends/sends.js';
import { EVENT_STREAM, EventStreams } from './event-streams.js';

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
