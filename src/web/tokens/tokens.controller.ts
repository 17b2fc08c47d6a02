import { Get, Post } from '@nestjs/common';
import { RoutesRequire, RIGHTS } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { Config } from '../../platform/index.js';
import { CreateTokenDto } from '../../accounts/tokens/token.dto.js';
import { TokensService } from '../../accounts/tokens/tokens.service.js';
import { checked, textOf, textsOf } from '../parts/index.js';
import { IssuedTokenPage, NewTokenPage, TokensPage } from './tokens.page.js';
import { attempt, goTo, page, Asked, type PageInput, WebController } from '../kit/index.js';

const NOTHING_TYPED = { name: '', rights: [], expires: '' };

/** Serves the pages about tokens. */
@WebController()
@RoutesRequire('tokens:write')
export class TokenPagesController {
  constructor(
    private readonly tokens: TokensService,
    private readonly config: Config,
  ) {}

  /** List the tokens. */
  @Get('tokens')
  async list(@Asked() { principal }: PageInput) {
    return page(TokensPage, { rows: await this.tokens.list(principal) });
  }

  /** Ask what a new token is for. */
  @Get('new-token')
  ask(@Asked() { principal }: PageInput) {
    const rights = RIGHTS.filter((right) => principal.has(right));
    return page(NewTokenPage, { rights, typed: NOTHING_TYPED, problems: [] });
  }

  /** Issue a token and show its secret, this once. Without a ticked box it gets the person's rights. */
  @Post('tokens')
  @Fresh()
  async create(@Asked() { principal, typed: sent }: PageInput) {
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
    return attempt(
      async () => {
        const terms = CreateTokenDto.terms(await checked(CreateTokenDto, { token }), principal.clientId);
        const { secret } = await this.tokens.issueAs(principal, terms);
        const { baseUrl } = this.config;
        return page(IssuedTokenPage, { name: terms.name, secret, baseUrl });
      },
      (problems) => page(NewTokenPage, { rights: own, typed, problems }),
    );
  }

  /** Revoke a token. */
  @Post('tokens/:id/revoke')
  async revoke(@Asked() { principal, recordId: id }: PageInput) {
    await this.tokens.revoke(principal.actor, principal, id);
    return goTo('/tokens', 'token_revoked');
  }
}

/** Returns the last second of a day, or the text itself when it is none: it is refused with a reason. */
function endOf(day: string) {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T23:59:59Z` : day;
}
