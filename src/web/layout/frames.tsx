import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SIGNED_OUT, type FramedPlace, type Frame, type FramedBrand } from './shell.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { type SectionName, layoutWords } from './words.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import { BrandsService, type Brand } from '../../clients/brands/brands.service.js';
import type { PageRequest } from '../../people/auth/session.guard.js';
import { PlacesService } from '../../people/profile/profile.service.js';
import type { SignedIn } from '../../people/sign-in/sign-in.service.js';
import { accentUrl } from '../assets/accent.js';
import { displayOf, isPutAway, latestOffer, takeFlash } from './cookies.js';
import { isTold } from '../../health/finding.js';
import { HealthService } from '../../health/health.service.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { readCookie, setCookie } from '../../people/auth/session.cookie.js';
import { Config, DAY_MS } from '../../platform/index.js';

const COOKIE = 'fcs_at';

/** How long a browser shows the looks of the account whose address it opened last, in milliseconds. */
const KEPT_MS = 365 * DAY_MS;

/** Collects the content of the frame around each page. */
@Injectable()
export class Frames {
  constructor(
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly places: PlacesService,
    private readonly health: HealthService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
    private readonly clients: ClientsService,
  ) {}

  /**
   * Returns the frame of one page, and removes the sentence that it shows once.
   * @param signedIn null before sign-in
   */
  async of(request: Request, response: Response, signedIn: SignedIn | null): Promise<Frame> {
    // A look by the script is not the page that follows.
    const isLook = isByScript(request);
    const flash = isLook ? null : takeFlash(request, response);
    const offer = isLook ? null : latestOffer(request);
    const brand = await this.brandFor(request, response, signedIn);
    const display = displayOf(request);
    if (!signedIn) return { ...SIGNED_OUT, display, flash, brand };
    const { principal, view } = signedIn;
    const person = view?.person ?? signedIn.person;
    const sections = principal ? sectionsOf(principal, signedIn.isOperator) : [];
    const [account, places, troubles, clients] = await Promise.all([
      principal && this.accounts.get(principal.accountId),
      this.placesOf(signedIn),
      principal ? this.health.causes(principal) : [],
      principal && sections.includes('clients') ? this.clients.first(principal, 1) : [],
    ]);
    return {
      person: { name: person.name, keysOff: person.keysOff, account: brand?.name ?? account?.name ?? '', places },
      sections,
      hasClients: clients.length > 0,
      timeZone: person.timeZone,
      troubles: isPutAway(request, troubles) ? [] : troubles,
      flash,
      brand,
      offer,
      seenAs: view && person.name,
      display,
      here: addressOf(request),
    };
  }

  /** Returns where the person acts; nothing to who sees the pages as somebody else, whose own that is. */
  private async placesOf({ person, membership: here, view }: SignedIn): Promise<FramedPlace[]> {
    if (view) return [];
    const places = await this.places.listOf(person.id);
    return places.map(({ membership: { id }, name }) => ({ id, name, isHere: id === here?.id }));
  }

  /**
   * Returns how the account looks that a client belongs to, or that a browser wants to sign in to; null for an
   * account's own people.
   * @param signedIn null before sign-in; by default as the guard found it
   */
  async brandFor(
    request: Request,
    response: Response,
    signedIn: SignedIn | null = (request as PageRequest).signedIn ?? null,
  ): Promise<FramedBrand | null> {
    if (!signedIn) {
      const brand = await this.signInBrandOf(request, response);
      return brand && framed(brand);
    }
    const { principal } = signedIn;
    return principal && principal.clientId !== null ? this.brandOf(principal) : null;
  }

  /** Returns how the pages of a client look. */
  async brandOf(scope: Scope): Promise<FramedBrand> {
    return framed(await this.brands.of(scope));
  }

  /** Returns how the client looks whose host this is, or that account, and has the browser remember it; null when there is none. */
  private async signInBrandOf(request: Request, response: Response) {
    const client = await this.addresses.clientAt(request);
    if (client) return this.brands.of(client);
    const { at: opened } = request.query;
    const isOpened = typeof opened === 'string';
    const key = isOpened ? opened : readCookie(request, this.config, COOKIE);
    const brand = key === null ? null : await this.brands.findBySignInKey(key);
    if (brand && isOpened) setCookie(response, this.config, COOKIE, opened, KEPT_MS);
    return brand;
  }
}

/** Tells whether the script of an open page asks, which shows parts of the answer. */
export function isByScript(request: Request) {
  return request.get('HX-Request') === 'true';
}

function framed({ name, logoPath, colour }: Brand): FramedBrand {
  return { name: name ?? layoutWords.product, logoPath, accentUrl: accentUrl(colour) };
}

/** Returns the address of a page; of the inbox with its filter. */
function addressOf({ method, path, originalUrl }: Request) {
  if (method !== 'GET') return '/';
  return path.startsWith('/inbox') ? originalUrl : path;
}

/** Returns the pages that would not refuse this principal. */
export function sectionsOf(principal: Principal, isOperator: boolean): SectionName[] {
  const sections: [SectionName, boolean][] = [
    ['inbox', principal.may('see')],
    ['forms', principal.has('forms:read')],
    ['clients', principal.clientId === null && principal.has('clients:read')],
    ['people', principal.clientId === null && principal.has('people:read')],
    ['destinations', principal.clientId === null && principal.has('forms:write')],
    ['tokens', principal.has('tokens:write')],
    ['move', principal.clientId === null && principal.has('forms:create')],
    ['visitors', principal.may('see')],
    ['brand', principal.clientId === null && principal.has('people:write')],
    ['spam-learning', principal.clientId === null && principal.has('people:write')],
    ['audit', principal.clientId === null && principal.has('audit:read')],
    ['status', isTold(principal) || isOperator],
  ];
  return sections.filter(([, isOpen]) => isOpen).map(([name]) => name);
}
