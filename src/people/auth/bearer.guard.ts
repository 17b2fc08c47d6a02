import { Injectable, type ExecutionContext, type CanActivate } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import type { Request, Response } from 'express';
import { Strategy } from 'passport-http-bearer';
import { FormQueries } from '../../forms/form-queries.service.js';
import {
  PUBLIC,
  RIGHT,
  WEB_PAGE,
  ACTION,
  type Principal,
  type Right,
  ActionForbidden,
  type Action,
} from '../../accounts/access/index.js';
import {
  AuthenticationRequired,
  InvalidToken,
  MalformedCredentials,
  Config,
  RateLimits,
} from '../../platform/index.js';
import { addressOf, isInner } from '../../platform/http/index.js';
import { TokensService } from '../../accounts/tokens/tokens.service.js';
import { Principals } from './principals.js';
import { assertMayChange } from '../../forms/access/may-change.js';

/** Turns the bearer token of a request into the principal it stands for. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy) {
  constructor(
    private readonly tokens: TokensService,
    private readonly principals: Principals,
  ) {
    super();
  }

  /**
   * Shows passport-http-bearer the header alone: it would also take `access_token` from the query and the
   * body, where a token leaks into logs and a form field of that name would count as one.
   */
  override authenticate(request: { headers: { authorization?: string } }, options?: object) {
    const { authorization } = request.headers;
    super.authenticate({ headers: { authorization } } as never, options);
  }

  /** Returns the principal of a token to passport; null refuses the token. */
  async validate(secret: string): Promise<Principal | null> {
    const token = await this.tokens.recognise(secret);
    return token && this.principals.ofToken(token);
  }
}

const AUTHORIZATION = 'authorization';

/** A header as nearly all programs send it. */
const PLAIN_HEADER = /^Bearer ([^ ]+)$/;

/** Lets requests pass by their token, on every route without `@Public()` or `@WebPage()`. */
@Injectable()
export class BearerGuard extends AuthGuard('bearer') {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly principals: Principals,
    private readonly limits: RateLimits,
    private readonly config: Config,
  ) {
    super();
  }

  /**
   * @throws AuthenticationRequired, InvalidToken, MalformedCredentials when the token is missing or wrong
   * @throws RateLimited when the token asks too often, or the address fails too often
   * @throws MissingRight when the token lacks what the route `@Requires`
   */
  override async canActivate(context: ExecutionContext) {
    const targets = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets)) return true;
    if (this.reflector.getAllAndOverride<unknown>(WEB_PAGE, targets) !== undefined) return true;
    const request = context.switchToHttp().getRequest<Request & { user: Principal }>();
    const response = context.switchToHttp().getResponse<Response>();
    try {
      if (isSentTwice(request)) throw new MalformedCredentials();
      const known = await this.recogniseAtOnce(request);
      if (known) request.user = known;
      else await super.canActivate(context);
    } catch (error) {
      if (isRefusal(error)) this.limits.countFailedAuth(request, response);
      throw error;
    }
    request.user = request.user.at(addressOf(request, this.config));
    if (!isInner(request.socket)) this.limits.admit('token', request.user.actor.id ?? 0, response);
    const right = this.reflector.getAllAndOverride<Right | undefined>(RIGHT, targets);
    if (right) request.user.assertHas(right);
    return true;
  }

  /** Returns whom a token stands for that Passport let in within the last second; null says nothing. */
  private async recogniseAtOnce({ headers }: Request) {
    const secret = PLAIN_HEADER.exec(headers.authorization ?? '')?.[1];
    const token = secret === undefined ? null : this.tokens.recogniseAtOnce(secret);
    return token && this.principals.ofToken(token);
  }

  /** Translates passport's refusals, which are a status of 400 or a challenge that names the error. */
  override handleRequest<T>(
    error: Error | null,
    principal: T | false,
    challenge: unknown,
    _: ExecutionContext,
    status?: number,
  ): T {
    if (error) throw error;
    if (principal) return principal;
    if (status === 400) throw new MalformedCredentials();
    if (String(challenge).includes('invalid_token')) throw new InvalidToken();
    throw new AuthenticationRequired();
  }
}

/** Tells a wrong token, which counts as a failure of the address, from a fault of ours. */
function isRefusal(error: unknown) {
  return [AuthenticationRequired, InvalidToken, MalformedCredentials].some((kind) => error instanceof kind);
}

/** Tells whether Authorization is repeated. Node drops the repetition, so only the raw list shows it. */
function isSentTwice({ rawHeaders }: Request) {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION) times++;
  }
  return times > 1;
}

/** Rights of routes that, with the identifier of a form, are for who may change it. */
const CHANGES: readonly Right[] = ['forms:write', 'forms:create', 'webhooks:secret'];

/**
 * Keeps a client from the routes that change, copy or tell the secret of a form, unless it made the form. What they `@Allows()` is asked of its tokens too.
 */
@Injectable()
export class FormGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly forms: FormQueries,
  ) {}

  /** @throws FormNotFound, FormNotOwn, ActionForbidden */
  async canActivate(context: ExecutionContext) {
    const targets = [context.getHandler(), context.getClass()];
    const right = this.reflector.getAllAndOverride<Right | undefined>(RIGHT, targets);
    if (!right || !CHANGES.includes(right)) return true;
    const { user, params } = context
      .switchToHttp()
      .getRequest<Request<{ identifier?: string }> & { user: Principal }>();
    if (user.clientId === null || params.identifier === undefined) return true;
    assertMayChange(user, await this.forms.get(user, params.identifier));
    const action = this.reflector.getAllAndOverride<Action | undefined>(ACTION, targets);
    if (action && !user.may(action)) throw new ActionForbidden(action);
    return true;
  }
}
