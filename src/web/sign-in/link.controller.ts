import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { clearCookie, readCookie, setCookie } from '../../auth/guarded.cookie.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { LinkOver } from '../../people/person/person.errors.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { InvalidInputError } from '../../platform/kernel/errors.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { ElsewherePage, LinkPage } from './link.page.js';
import { readEmail } from './person-fields.js';
import { codeAddress, flashOf, HOME } from './sign-in.controller.js';
import { SignInPages } from './sign-in-pages.js';

/** Where link and code of the mail are used. */
const PATH = '/sign-in/link';
const COOKIE = 'fcs_link';
const NOT_FOUND = 404;

/** Signs people in by a link or a code from a mail, in the browser that asked for it alone. */
@Controller('sign-in/link')
@WebPage('everyone')
@UseFilters(WebFilter)
export class LinkController {
  constructor(
    private readonly links: LinkSignInService,
    private readonly pages: SignInPages,
    private readonly browsers: Browsers,
    private readonly signIns: SignInService,
    private readonly frames: Frames,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Mail a link if somebody has the address; the answer is the same for all. */
  @Post()
  async ask(
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    try {
      const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
      const at = await this.addresses.clientAt(request);
      const { ticket, maxAgeMs } = await this.links.ask(readEmail(typed), device, next, at);
      setCookie(response, this.config, COOKIE, ticket, maxAgeMs);
      redirect(response, PATH);
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      const email = textOf(typed, 'email').trim();
      await this.pages.send(request, response, { next, email, problems: error.fields });
    }
  }

  /** Ask for the code; opening the link of the mail shows this page and uses nothing up. */
  @Get()
  async show(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const open = await this.links.open(readCookie(request, this.config, COOKIE));
    if (!open && signedIn) {
      redirect(response, HOME);
      return;
    }
    const frame = await this.frames.of(request, response, null);
    const page = open ? LinkPage({ frame, email: open.link.email }) : ElsewherePage({ frame });
    sendPage(response, page);
  }

  /** Sign in, in a new session, and go on. */
  @Post('use')
  async use(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const ticket = readCookie(request, this.config, COOKIE);
    const open = await this.links.open(ticket);
    try {
      const device = deviceOf(request, this.config, false);
      const begun = await this.links.use(ticket, textOf(typed, 'code'), device);
      if (signedIn) await this.signIns.signOut(signedIn, device.address);
      clearCookie(response, this.config, COOKIE);
      await this.browsers.letIn(request, response, begun);
      const next = parseLocalPath(open?.ticket.next) ?? HOME;
      if (begun.session.provedAt === null) redirect(response, codeAddress(next));
      else redirect(response, next, flashOf(begun.session));
    } catch (error) {
      const frame = await this.frames.of(request, response, null);
      if (error instanceof LinkOver) sendPage(response, ElsewherePage({ frame }), NOT_FOUND);
      else if (open && error instanceof InvalidInputError) {
        const { email } = open.link;
        sendPage(response, LinkPage({ frame, email, problems: error.fields }), UNPROCESSABLE);
      } else throw error;
    }
  }
}
