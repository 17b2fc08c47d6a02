import { Get, Post } from '@nestjs/common';
import { Browsers, deviceOf } from '../../auth/browsers.cookie.js';
import { clearCookie, readCookie, setCookie } from '../../auth/guarded.cookie.js';
import { parseLocalPath } from '../../auth/local-path.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { LinkSignInService } from '../../people/sign-in-methods/link-sign-in.service.js';
import { LinkOver } from '../../people/person/person.errors.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import { Config } from '../../platform/config/config.js';
import { isTicked, textOf } from '../parts/typed.js';
import { ElsewherePage, LinkPage } from './sign-in.page.js';
import { readEmail } from './person-fields.js';
import { codeAddress, flashOf, HOME, SignInPages } from './sign-in.controller.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';

/** Where link and code of the mail are used. */
const PATH = '/sign-in/link';
const COOKIE = 'fcs_link';
const NOT_FOUND = 404;
const SIGNED_OUT = { isSignedOut: true };

/** Signs people in by a link or a code from a mail, in the browser that asked for it alone. */
@WebController('sign-in/link', 'everyone')
export class LinkController {
  constructor(
    private readonly links: LinkSignInService,
    private readonly pages: SignInPages,
    private readonly browsers: Browsers,
    private readonly signIns: SignInService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Mail a link if somebody has the address; the answer is the same for all. */
  @Post()
  async ask(@Asked() { typed, request, response }: PageInput): Promise<PageAnswer> {
    const next = parseLocalPath(textOf(typed, 'next')) ?? HOME;
    return attempt(
      async () => {
        const device = deviceOf(request, this.config, isTicked(typed, 'shared'));
        const at = await this.addresses.clientAt(request);
        const { ticket, maxAgeMs } = await this.links.ask(readEmail(typed), device, next, at);
        setCookie(response, this.config, COOKIE, ticket, maxAgeMs);
        return goTo(PATH);
      },
      (problems) => {
        const email = textOf(typed, 'email').trim();
        return this.pages.page(request, { next, email, problems });
      },
    );
  }

  /** Ask for the code; opening the link of the mail shows this page and uses nothing up. */
  @Get()
  async show(
    @Asked() { request }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const open = await this.links.open(readCookie(request, this.config, COOKIE));
    if (open) return page(LinkPage, { email: open.link.email }, SIGNED_OUT);
    return signedIn ? goTo(HOME) : page(ElsewherePage, {}, SIGNED_OUT);
  }

  /** Sign in, in a new session, and go on. */
  @Post('use')
  async use(
    @Asked() { typed, request, response }: PageInput,
    @CurrentPerson() signedIn: SignedIn | undefined,
  ): Promise<PageAnswer> {
    const ticket = readCookie(request, this.config, COOKIE);
    const open = await this.links.open(ticket);
    const work = async () => {
      const device = deviceOf(request, this.config, false);
      const begun = await this.links.use(ticket, textOf(typed, 'code'), device);
      if (signedIn) await this.signIns.signOut(signedIn, device.address);
      clearCookie(response, this.config, COOKIE);
      await this.browsers.letIn(request, response, begun);
      const next = parseLocalPath(open?.ticket.next) ?? HOME;
      if (begun.session.provedAt === null) return goTo(codeAddress(next));
      return goTo(next, flashOf(begun.session));
    };
    try {
      if (!open) return await work();
      const { email } = open.link;
      return await attempt(work, (problems) => page(LinkPage, { email, problems }, SIGNED_OUT));
    } catch (error) {
      if (!(error instanceof LinkOver)) throw error;
      return page(ElsewherePage, {}, { ...SIGNED_OUT, status: NOT_FOUND });
    }
  }
}
