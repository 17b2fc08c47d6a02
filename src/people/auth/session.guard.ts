import {
  type Principal,
  type Right,
  ActionForbidden,
  type Action,
  NotAllowedHere,
  OnlyLooking,
  ForeignRequest,
  RIGHT,
  WEB_PAGE,
  ACTION,
  OPEN_WHILE_VIEWING,
  SESSION_ROUTE,
  type WebAudience,
} from '../../accounts/access/index.js';
import { type SignedIn, HostAdmission, SignInService } from '../sign-in/sign-in.service.js';
import { Injectable, type ExecutionContext, type CanActivate } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import type { IncomingHttpHeaders } from 'node:http';
import { SessionRequired, SignInRequired, Config, RateLimits } from '../../platform/index.js';
import { addressOf, BodiesUnderWay, readStrangersFormOf } from '../../platform/http/index.js';
import { parseLocalPath, sessionSecretOf } from './session.cookie.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';

const SIGN_IN = '/sign-in';

/** The page on which a person chooses an account or a client to act for. */
const CHOOSE = '/account';

/** Where the marks of a route are looked for. */
type Targets = Parameters<Reflector['getAllAndOverride']>[1];

/** Lets requests pass by the session's cookie, on the routes with `@WebPage()` and no others. */
@Injectable()
export class SessionGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly people: SignInService,
    private readonly bodies: BodiesUnderWay,
    private readonly limits: RateLimits,
    private readonly admission: HostAdmission,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /**
   * @throws ForeignRequest when another site's page sent it
   * @throws SignInRequired without a session, or without an account or client to act for
   * @throws SessionRequired without a session on a route of the API
   * @throws RateLimited when the session asks too often
   * @throws OnlyLooking when an owner sees the pages as somebody else, and this is more than looking
   * @throws NotAllowedHere, ActionForbidden when the person lacks the right or the action of the page
   */
  async canActivate(context: ExecutionContext) {
    const targets = [context.getHandler(), context.getClass()];
    const audience = this.reflector.getAllAndOverride<WebAudience | undefined>(WEB_PAGE, targets);
    if (audience === undefined) return true;
    const request = context.switchToHttp().getRequest<PageRequest>();
    assertOwnOrigin(request, await this.addresses.ofRequest(request));
    const signedIn = await this.recognise(request);
    if (signedIn) {
      const response = context.switchToHttp().getResponse<Response>();
      this.limits.admit('session', signedIn.session.id.toString('hex'), response);
      request.signedIn = signedIn;
    }
    if (signedIn?.principal) request.user = signedIn.principal;
    if (signedIn?.view) this.assertLooking(request, audience, targets);
    if (audience === 'everyone') return true;
    if (!signedIn) {
      if (audience === 'members') await this.keepTyped(context, request);
      throw this.refusalOf(request, targets);
    }
    if (audience === 'people') return true;
    if (!signedIn.principal) throw new SignInRequired(CHOOSE);
    this.assertAllowed(signedIn.principal, targets);
    return true;
  }

  private async recognise(request: Request) {
    const secret = sessionSecretOf(request, this.config);
    if (secret === null) return null;
    const found = await this.people.recognise(secret, addressOf(request, this.config));
    const client = found && (await this.addresses.clientAt(request));
    if (!client) return found;
    // A session that began elsewhere, or whose person belongs elsewhere by now.
    return (await this.admission.admits(found.person.id, client.clientId)) ? found : null;
  }

  /** Reads the form of a session that ended meanwhile, for the page that asks to sign in to keep it. */
  private async keepTyped(context: ExecutionContext, request: PageRequest) {
    const response = context.switchToHttp().getResponse<Response>();
    // What is too long or no form is not kept; that there is no session is what matters then.
    await readStrangersFormOf(request, response, this.bodies).catch(() => undefined);
  }

  private assertLooking({ method }: Request, audience: WebAudience, targets: Targets) {
    if (this.reflector.getAllAndOverride<boolean | undefined>(OPEN_WHILE_VIEWING, targets)) return;
    if (audience !== 'members' || !SAFE_METHODS.has(method)) throw new OnlyLooking();
  }

  private refusalOf(request: Request, targets: Targets): Error {
    const isApi = this.reflector.getAllAndOverride<boolean | undefined>(SESSION_ROUTE, targets);
    return isApi ? new SessionRequired() : new SignInRequired(signInAddress(request));
  }

  private assertAllowed(principal: Principal, targets: Targets) {
    const right = this.reflector.getAllAndOverride<Right | undefined>(RIGHT, targets);
    if (right && !principal.has(right)) throw new NotAllowedHere();
    const action = this.reflector.getAllAndOverride<Action | undefined>(ACTION, targets);
    if (action && !principal.may(action)) throw new ActionForbidden(action);
  }
}

/** Returns the address of the sign-in page, with `next` when the request can be repeated as a GET. */
function signInAddress({ method, originalUrl }: Request) {
  const next = method === 'GET' || method === 'HEAD' ? parseLocalPath(originalUrl) : null;
  return next === null || next === '/' ? SIGN_IN : `${SIGN_IN}?next=${encodeURIComponent(next)}`;
}

/** The part of a request that tells where it comes from. */
interface SentRequest {
  method: string;
  headers: IncomingHttpHeaders;
}

/** Methods that change nothing (RFC 9110, section 9.2.1). */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a changing request that no page of this service made, against cross-site request forgery.
 * Browsers send `Sec-Fetch-Site`, though only to https and localhost; without it `Origin` has to be
 * ours. A request with neither is refused, and so is one from another host of the same site.
 * @param address under which the request reached this service
 * @throws ForeignRequest
 */
function assertOwnOrigin({ method, headers }: SentRequest, address: string) {
  if (SAFE_METHODS.has(method)) return;
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? headers.origin === new URL(address).origin : site === 'same-origin';
  if (!isOwn) throw new ForeignRequest();
}

/** A request to a page, after the guard has passed it. */
export type PageRequest = Request & { user?: Principal; signedIn?: SignedIn };
