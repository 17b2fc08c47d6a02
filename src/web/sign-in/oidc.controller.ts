import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
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
import { redirect } from '../layout/flash.js';
import { sendPage } from '../layout/send-page.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { DeparturePage } from './oidc.page.js';
import { readTimeZone } from './person-fields.js';
import { codeAddress, flashOf, HOME } from './sign-in.controller.js';

const COOKIE = 'fcs_oidc';
const ACCOUNT = '/account';

/** Signs people in through the OpenID Connect provider. Only a page of this service begins it. */
@Controller('sign-in/oidc')
@WebPage('everyone')
@UseFilters(WebFilter)
export class OidcController {
  constructor(
    private readonly oidc: OidcSignInService,
    private readonly signIns: SignInService,
    private readonly browsers: Browsers,
    private readonly config: Config,
  ) {}

  /** Send the browser to the provider. */
  @Post()
  async begin(
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
    this.depart(response, await this.oidc.begin(next, device, null));
  }

  /** Send the browser of somebody who is signed in to the provider, to link what they are known by there. */
  @Post('link')
  @WebPage('people')
  @Fresh()
  async link(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const device = deviceOf(request, this.config, false);
    this.depart(response, await this.oidc.begin(ACCOUNT, device, signedIn));
  }

  /** Take what the provider sent the browser back with, sign in, and go on. */
  @Get('callback')
  async complete(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const ticket = readCookie(request, this.config, COOKIE);
    clearCookie(response, this.config, COOKIE);
    const device = deviceOf(request, this.config, false);
    const query = request.originalUrl.replace(/^[^?]*/, '');
    const zone = readTimeZone(request);
    const returned = await this.oidc.complete(ticket, query, device, zone, signedIn ?? null);
    const next = parseLocalPath(returned.next) ?? HOME;
    const { begun } = returned;
    if (begun === null) {
      redirect(response, next, 'identity_linked');
      return;
    }
    if (signedIn) await this.signIns.signOut(signedIn, device.address);
    await this.browsers.letIn(request, response, begun);
    if (begun.session.provedAt === null) redirect(response, codeAddress(next));
    else redirect(response, next, flashOf(begun.session));
  }

  /**
   * A redirect that answers a form is held to `form-action`, which names this service alone; so a page
   * leads on, by itself where the browser takes a `Refresh`.
   */
  private depart(response: Response, { address, ticket, maxAgeMs }: BegunDeparture): void {
    setCookie(response, this.config, COOKIE, ticket, maxAgeMs);
    response.set('Refresh', `0; url=${address}`);
    sendPage(response, DeparturePage({ address, name: this.oidc.providerName ?? '' }));
  }
}
