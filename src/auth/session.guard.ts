import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { ACTION, RIGHT, WEB_PAGE, type WebAudience } from '../access/access.decorators.js';
import { ActionForbidden, NotAllowedHere } from '../access/access.errors.js';
import type { Principal } from '../access/principal.js';
import type { Right } from '../access/rights.js';
import type { Action } from '../access/roles.js';
import { Config } from '../platform/config/config.js';
import { addressOf } from '../platform/http/address.js';
import { SignInRequired } from '../platform/kernel/credentials.errors.js';
import { SignInService, type SignedIn } from '../people/sign-in.service.js';
import { parseLocalPath } from './local-path.js';
import { assertOwnOrigin } from './own-origin.js';
import { sessionSecretOf } from './session.cookie.js';

const SIGN_IN = '/sign-in';
/** Where a person chooses an account or a client to act in. */
const CHOOSE = '/account';

/** A request to a page, once the guard has looked at it. */
export type PageRequest = Request & { user?: Principal; signedIn?: SignedIn };

/** Stands before every page for people who sign in: those, and no others, are opened by the cookie. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly people: SignInService,
    private readonly config: Config,
  ) {}

  /**
   * @throws ForeignRequest when another site's page sent it
   * @throws SignInRequired without a session, or without an account to act in
   * @throws NotAllowedHere, ActionForbidden when the person lacks what the page asks for
   */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const targets = [context.getHandler(), context.getClass()];
    const audience = this.reflector.getAllAndOverride<WebAudience | undefined>(WEB_PAGE, targets);
    if (audience === undefined) return true;
    const request = context.switchToHttp().getRequest<PageRequest>();
    assertOwnOrigin(request, this.config.baseUrl);
    const signedIn = await this.recognise(request);
    if (signedIn) request.signedIn = signedIn;
    if (signedIn?.principal) request.user = signedIn.principal;
    if (audience === 'everyone') return true;
    if (!signedIn) throw new SignInRequired(signInAddress(request));
    if (audience === 'people') return true;
    if (!signedIn.principal) throw new SignInRequired(CHOOSE);
    this.assertAllowed(signedIn.principal, targets);
    return true;
  }

  private async recognise(request: Request): Promise<SignedIn | null> {
    const secret = sessionSecretOf(request, this.config);
    return secret === null ? null : this.people.recognise(secret, addressOf(request, this.config));
  }

  private assertAllowed(
    principal: Principal,
    targets: Parameters<Reflector['getAllAndOverride']>[1],
  ): void {
    const right = this.reflector.getAllAndOverride<Right | undefined>(RIGHT, targets);
    if (right && !principal.has(right)) throw new NotAllowedHere();
    const action = this.reflector.getAllAndOverride<Action | undefined>(ACTION, targets);
    if (action && !principal.may(action)) throw new ActionForbidden(action);
  }
}

/** Where to sign in, and to come back from if the page is one that can be opened again. */
function signInAddress({ method, originalUrl }: Request): string {
  const next = method === 'GET' || method === 'HEAD' ? parseLocalPath(originalUrl) : null;
  return next === null || next === '/' ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`;
}
