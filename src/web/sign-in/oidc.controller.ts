import { Get, Post } from '@nestjs/common';
import type { Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { clearCookie, readCookie, setCookie } from '../../auth/guarded.cookie.js';
import { Fresh } from '../../auth/fresh.interceptor.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import {
  OidcSignInService,
  type BegunDeparture,
} from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { isTicked, textOf } from '../parts/typed.js';
import { DeparturePage } from './sign-in.page.js';
import { readTimeZone } from './person-fields.js';
import { codeAddress, flashOf, HOME } from './sign-in.controller.js';
import { goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

const COOKIE = 'fcs_oidc';
const ACCOUNT = '/account';

/** Signs people in through the OpenID Connect provider. Only a page of this service begins it. */
@WebController('sign-in/oidc', 'everyone')
export class OidcController {
  constructor(
    private readonly oidc: OidcSignInService,
    private readonly signIns: SignInService,
    private readonly browsers: Browsers,
    private readonly config: Config,
  ) {}

  /** Send the browser to the provider. */
  @Post()
  async begin(@Asked() { typed, request, response }: PageInput): Promise<PageAnswer> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    return this.depart(response, await this.oidc.begin(next, device, null));
  }

  /** Send the browser of somebody who is signed in to the provider, to link what they are known by there. */
  @Post('link')
  @WebPage('people')
  @Fresh()
  async link(@Asked() { signedIn, request, response }: PageInput): Promise<PageAnswer> {
    const device = deviceOf(request, this.config, false);
    return this.depart(response, await this.oidc.begin(ACCOUNT, device, signedIn));
  }

  /** Take what the provider sent the browser back with, sign in, and go on. */
  @Get('callback')
  async complete(
    @Asked() { request, response }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const ticket = readCookie(request, this.config, COOKIE);
    clearCookie(response, this.config, COOKIE);
    const device = deviceOf(request, this.config, false);
    const query = request.originalUrl.replace(/^[^?]*/, '');
    const zone = readTimeZone(request);
    const returned = await this.oidc.complete(ticket, query, device, zone, signedIn ?? null);
    const next = parseLocalPath(returned.next) ?? HOME;
    const { begun } = returned;
    if (begun === null) return goTo(next, 'identity_linked');
    if (signedIn) await this.signIns.signOut(signedIn, device.address);
    await this.browsers.letIn(request, response, begun);
    if (begun.session.provedAt === null) return goTo(codeAddress(next));
    return goTo(next, flashOf(begun.session));
  }

  /**
   * A redirect that answers a form is held to `form-action`, which names this service alone; so a page
   * leads on, by itself where the browser takes a `Refresh`.
   */
  private depart(response: Response, { address, ticket, maxAgeMs }: BegunDeparture): PageAnswer {
    setCookie(response, this.config, COOKIE, ticket, maxAgeMs);
    response.set('Refresh', `0; url=${address}`);
    return page(DeparturePage, { address, name: this.oidc.providerName ?? '' });
  }
}
