import { Get, Post } from '@nestjs/common';
import { RoutesRequire, RIGHTS, type Principal, type Right } from '../../accounts/access/index.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { Config, type FieldProblem } from '../../platform/index.js';
import { CreateTokenDto } from '../../accounts/tokens/token.dto.js';
import { TokensService } from '../../accounts/tokens/tokens.service.js';
import { checked, textOf, textsOf } from '../parts/index.js';
import {
  AGENTS,
  AgentConnectedPage,
  ConnectAgentPage,
  type AgentKind,
  type ConnectAgentPageProps,
} from './agent.page.js';
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
    const rights = (typed.rights.length > 0 ? typed.rights : everything) as Right[];
    return attempt(
      async () => page(IssuedTokenPage, await this.issue(principal, { ...typed, rights })),
      (problems) => page(NewTokenPage, { rights: own, typed, problems }),
    );
  }

  /** Ask what an agent is for. */
  @Get('tokens/agent')
  askForAgent(@Asked() { principal }: PageInput) {
    return this.agentPage(principal, { name: 'Coding agent', kind: 'setup', expires: '' });
  }

  /** Issue the token of an agent, and show how it is connected, this once. */
  @Post('tokens/agent')
  @Fresh()
  async connectAgent(@Asked() { principal, typed: sent }: PageInput) {
    const typed = {
      name: textOf(sent, 'token.name'),
      kind: textOf(sent, 'kind'),
      expires: textOf(sent, 'token.expires_at'),
    };
    const { rights } = AGENTS[typed.kind === 'inbox' ? 'inbox' : 'setup'];
    return attempt(
      async () => page(AgentConnectedPage, await this.issue(principal, { ...typed, rights: [...rights] })),
      (problems) => this.agentPage(principal, typed, problems),
    );
  }

  private agentPage(principal: Principal, typed: ConnectAgentPageProps['typed'], problems: FieldProblem[] = []) {
    const all = Object.keys(AGENTS) as AgentKind[];
    const kinds = all.filter((kind) => AGENTS[kind].rights.every((right) => principal.has(right)));
    return page(ConnectAgentPage, { kinds, typed, problems });
  }

  /** Issues a token, and returns its secret with what pages show of it. */
  private async issue(principal: Principal, typed: { name: string; rights: Right[]; expires: string }) {
    const { name, rights, expires } = typed;
    const token = { name, rights, expires_at: expires === '' ? null : endOf(expires) };
    const terms = CreateTokenDto.terms(await checked(CreateTokenDto, { token }), principal.clientId);
    const { secret } = await this.tokens.issueAs(principal, terms);
    return { name: terms.name, secret, baseUrl: this.config.baseUrl };
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
