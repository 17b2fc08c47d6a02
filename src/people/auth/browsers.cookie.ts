import {
  Injectable,
  createParamDecorator,
  type ExecutionContext,
  applyDecorators,
  UseInterceptors,
  type CallHandler,
  type NestInterceptor,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { HostAdmission, SignInService, type SignedIn } from '../sign-in/sign-in.service.js';
import { Config, Clock, DAY_MS, SigningService } from '../../platform/index.js';
import { addressOf } from '../../platform/http/index.js';
import type { Device, SignInWay } from '../sessions/session.entity.js';
import type { BegunSession } from '../sessions/sessions.service.js';
import { readCookie, setCookie, setSessionCookie } from './session.cookie.js';
import type { PageRequest } from './session.guard.js';
import type { Observable } from 'rxjs';
import { OnlyLooking, ProofRequired } from '../../accounts/access/index.js';
import { ProofsService } from '../sign-in-methods/proofs.service.js';

const COOKIE = 'fcs_devices';

const PURPOSE = 'devices';

/** The longest that browsers keep a cookie (RFC 6265bis, section 5.5). */
const KEPT_MS = 400 * DAY_MS;

/** People who are remembered in one browser; the longest unused is forgotten first. */
const PEOPLE_MAX = 10;

const ID_BYTES = 4;

/** By these a person begins: there is no former browser that a new one could differ from. */
const BEGINNINGS: readonly SignInWay[] = ['setup', 'invitation'];

/** Returns where a request comes from, for the session that it begins. */
export function deviceOf(request: Request, config: Config, isShared: boolean): Device {
  return { address: addressOf(request, config), userAgent: request.headers['user-agent'] ?? '', isShared };
}

/**
 * Lets browsers in where somebody has signed in. A signed cookie, kept longer than any session, names the
 * people who signed in there before; a sign-in from a browser without it is told by mail.
 */
@Injectable()
export class Browsers {
  constructor(
    private readonly signIns: SignInService,
    private readonly admission: HostAdmission,
    private readonly addresses: PublicAddresses,
    private readonly signing: SigningService,
    private readonly clock: Clock,
    private readonly config: Config,
  ) {}

  /**
   * Lets the browser keep a session that just began; tells the person when the browser is new to them.
   * @throws SignInRefused under the host of a client that is not the person's only place
   */
  async letIn(request: Request, response: Response, begun: BegunSession) {
    const client = await this.addresses.clientAt(request);
    if (client) await this.admission.admit(client.clientId, begun);
    setSessionCookie(response, this.config, begun);
    const { personId, provedAt, isSharedDevice, way } = begun.session;
    if (provedAt === null) return;
    const known = await this.peopleOf(request);
    if (!isSharedDevice) await this.remember(response, personId, known);
    if (known.includes(personId) || BEGINNINGS.includes(way)) return;
    await this.signIns.tellOfNewBrowser(begun.session);
  }

  /** Returns the ids of the people who signed in with this browser, the last one first. */
  private async peopleOf(request: Request) {
    const cookie = readCookie(request, this.config, COOKIE);
    const payload = cookie && (await this.signing.verify(PURPOSE, cookie, this.clock.now()));
    if (!payload) return [];
    return Array.from({ length: payload.length / ID_BYTES }, (_, index) => payload.readUInt32BE(index * ID_BYTES));
  }

  private async remember(response: Response, personId: number, known: number[]) {
    const ids = [...new Set([personId, ...known])].slice(0, PEOPLE_MAX);
    const payload = Buffer.alloc(ids.length * ID_BYTES);
    for (const [index, id] of ids.entries()) payload.writeUInt32BE(id, index * ID_BYTES);
    const expiresAt = new Date(this.clock.now().getTime() + KEPT_MS);
    const text = await this.signing.sign(PURPOSE, payload, expiresAt);
    setCookie(response, this.config, COOKIE, text, KEPT_MS);
  }
}

/** Hands the handler the person of the session; undefined without a session, on pages for everyone. */
export const CurrentPerson = createParamDecorator(
  (_: undefined, context: ExecutionContext): SignedIn | undefined =>
    context.switchToHttp().getRequest<PageRequest>().signedIn,
);

/**
 * Marks a page for people who showed a password, passkey or second factor within the last ten minutes.
 * Others are asked for it and then come back, with all that they had typed.
 */
export const Fresh = () => applyDecorators(UseInterceptors(FreshInterceptor));

/**
 * Refuses people whose proof is too old. It runs after the form is read, unlike a guard, so that the
 * page that asks for the proof can repeat what was typed.
 */
@Injectable()
class FreshInterceptor implements NestInterceptor {
  constructor(private readonly proofs: ProofsService) {}

  /** @throws ProofRequired, and OnlyLooking to an owner who sees the pages as somebody else */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const { signedIn } = context.switchToHttp().getRequest<PageRequest>();
    if (signedIn?.view) throw new OnlyLooking();
    if (!signedIn?.isFresh) {
      throw new ProofRequired(signedIn ? await this.proofs.waysOf(signedIn.person) : []);
    }
    return next.handle();
  }
}
