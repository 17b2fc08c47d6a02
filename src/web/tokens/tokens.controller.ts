import { Body, Get, Param, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { CurrentPrincipal, Requires } from '../../access/access.decorators.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { Principal } from '../../access/principal.js';
import { RIGHTS } from '../../access/rights.js';
import { Config } from '../../platform/config/config.js';
import { RecordId } from '../../platform/http/record-id.pipe.js';
import { CreateTokenDto } from '../../tokens/dto/create-token.dto.js';
import { TokensService } from '../../tokens/tokens.service.js';
import { checked, problemsOf, textOf, textsOf, type Typed } from '../parts/typed.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { WebController } from '../layout/web-controller.js';
import { IssuedTokenPage, NewTokenPage, TokensPage } from './tokens.page.js';

const NOTHING_TYPED = { name: '', rights: [], expires: '' };

/** Serves the pages about tokens. */
@WebController()
export class TokenPagesController {
  constructor(
    private readonly tokens: TokensService,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** List the tokens. */
  @Get('tokens')
  @Requires('tokens:write')
  async list(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const rows = (await this.tokens.list(principal)).map((token) => ({
      id: token.id,
      name: token.name,
      rights: token.rights,
      isClients: token.clientId !== null,
      lastUsedAt: token.lastUsedAt,
      expiresAt: token.expiresAt,
    }));
    const frame = await this.frames.of(request, response);
    sendPage(response, TokensPage({ frame, rows }));
  }

  /** Ask what a new token is for. */
  @Get('new-token')
  @Requires('tokens:write')
  async ask(
    @CurrentPrincipal() principal: Principal,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const frame = await this.frames.of(request, response);
    const rights = RIGHTS.filter((right) => principal.has(right));
    sendPage(response, NewTokenPage({ frame, rights, typed: NOTHING_TYPED, problems: [] }));
  }

  /** Issue a token and show its secret, this once. Without a ticked box it gets the person's rights. */
  @Post('tokens')
  @Fresh()
  @Requires('tokens:write')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body() sent: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const own = RIGHTS.filter((right) => principal.has(right));
    const typed = {
      name: textOf(sent, 'token.name'),
      rights: textsOf(sent, 'token.rights'),
      expires: textOf(sent, 'token.expires_at'),
    };
    const everything = own.length === RIGHTS.length ? [] : own;
    const token = {
      name: typed.name,
      rights: typed.rights.length > 0 ? typed.rights : everything,
      expires_at: typed.expires === '' ? null : endOf(typed.expires),
    };
    const frame = await this.frames.of(request, response);
    try {
      const terms = CreateTokenDto.terms(
        await checked(CreateTokenDto, { token }),
        principal.clientId,
      );
      const { secret } = await this.tokens.issueAs(principal, terms);
      const { baseUrl } = this.config;
      sendPage(response, IssuedTokenPage({ frame, name: terms.name, secret, baseUrl }));
    } catch (error) {
      const problems = problemsOf(error);
      sendPage(response, NewTokenPage({ frame, rights: own, typed, problems }), UNPROCESSABLE);
    }
  }

  /** Revoke a token. */
  @Post('tokens/:id/revoke')
  @Requires('tokens:write')
  async revoke(
    @CurrentPrincipal() principal: Principal,
    @Param('id', RecordId) id: number,
    @Res() response: Response,
  ): Promise<void> {
    await this.tokens.revoke(principal.actor, principal, id);
    redirect(response, '/tokens', 'token_revoked');
  }
}

/** Returns the last second of a day, or the text itself when it is none: it is refused with a reason. */
function endOf(day: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T23:59:59Z` : day;
}
