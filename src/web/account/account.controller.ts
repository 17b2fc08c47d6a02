import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { ChangeSettingsDto, PasskeyNameDto } from '../../people/auth/person.dto.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { Config, type FieldProblem, parseUuid } from '../../platform/index.js';
import { addressOf, recordIdOf } from '../../platform/http/index.js';
import { FactorsService } from '../../people/credentials/factors.service.js';
import { IdentitiesService } from '../../people/credentials/identities.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { OidcSignInService } from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { PlacesService, ProfileService, EmailChangeService } from '../../people/profile/profile.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import { checked, isTicked, textOf, credentialOf, InvalidForm } from '../parts/index.js';
import { browserZoneOf, readEmail } from '../sign-in/person-fields.js';
import { HOME } from '../sign-in/sign-in.controller.js';
import { AccountPage, ZONE_FIELD, RecoveryCodesPage, TotpPage } from './account.page.js';
import { attempt, goTo, page, framed, Asked, type PageInput, WebController } from '../kit/index.js';
import { DISPLAY_NAMES, keepDisplay, putAway } from '../layout/cookies.js';
import { Fresh } from '../../people/auth/browsers.cookie.js';
import { browserNameOf } from '../../people/sessions/browser-name.js';
import { emailWords, PasskeysPage, ConfirmEmailPage, EmailAskedPage, EmailPage } from './passkeys.page.js';
import { AddressLinkOver } from '../../people/person/person.errors.js';
import { answerInFrame, ProofFramePage } from '../previews/mail-frame.page.js';
import { isTotpSecret, newTotpSecret } from '../../people/credentials/credential.js';

const PATH = '/account';

/** Serves the page about oneself: the places where one acts, the sessions, the password. */
@WebController('account', 'people')
export class AccountController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly places: PlacesService,
    private readonly signIns: SignInService,
    private readonly factors: FactorsService,
    private readonly passkeys: PasskeysService,
    private readonly identities: IdentitiesService,
    private readonly oidc: OidcSignInService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Show it all. */
  @Get()
  show(@Asked() { signedIn, request }: PageInput) {
    return this.page(signedIn, request);
  }

  /** Go on in another account, or for another client. */
  @Post('switch')
  async switchTo(@Asked() { signedIn, typed }: PageInput) {
    await this.signIns.switchTo(signedIn, recordIdOf(textOf(typed, 'membership')));
    return goTo(HOME, 'switched');
  }

  /** Sign out another browser. */
  @Post('sessions/end')
  async endSession(@Asked() { signedIn, typed, request }: PageInput) {
    const id = parseUuid(textOf(typed, 'session'));
    const address = addressOf(request, this.config);
    await this.profiles.endSession(signedIn, id ?? Buffer.alloc(0), address);
    return goTo(PATH, 'session_ended');
  }

  /** Sign out all other browsers. */
  @Post('sessions/end-others')
  async endOthers(@Asked() { signedIn, request }: PageInput) {
    await this.profiles.endOtherSessions(signedIn, addressOf(request, this.config));
    return goTo(PATH, 'sessions_ended');
  }

  /** Switch the keys on or off. */
  @Post('keys')
  async switchKeys(@Asked() { signedIn, typed }: PageInput) {
    const isOn = isTicked(typed, 'keys');
    await this.profiles.changeSettings(signedIn, { keysOff: !isOn });
    return goTo(PATH, isOn ? 'keys_on' : 'keys_off');
  }

  /** Tell times in another time zone. */
  @Post('time-zone')
  async changeZone(@Asked() { signedIn, typed, request }: PageInput) {
    const zone = textOf(typed, ZONE_FIELD).trim();
    return attempt(
      async () => {
        const { settings } = await checked(ChangeSettingsDto, { settings: { time_zone: zone } });
        await this.profiles.changeSettings(signedIn, { timeZone: settings.time_zone ?? zone });
        return goTo(PATH, 'zone_set');
      },
      (problems) => this.page(signedIn, request, problems, zone),
    );
  }

  /** Change the password, or set one. */
  @Post('password')
  async changePassword(@Asked() { signedIn, typed, request }: PageInput) {
    const address = addressOf(request, this.config);
    const [current, next] = [textOf(typed, 'current'), textOf(typed, 'password')];
    return attempt(
      async () => {
        await this.profiles.changePassword(signedIn, current, next, address);
        return goTo(PATH, 'password_changed');
      },
      (problems) => this.page(signedIn, request, problems),
    );
  }

  /** Unlink what the person is known by at the provider. */
  @Post('identities/remove')
  @Fresh()
  async unlink(@Asked() { signedIn, typed, request }: PageInput) {
    const id = parseUuid(textOf(typed, 'identity'));
    await this.identities.removeOwn(signedIn, id, addressOf(request, this.config));
    return goTo(PATH, 'identity_unlinked');
  }

  /** Keep how this browser draws the pages, and go back to the page that it was chosen on. */
  @Post('display')
  choose(@Asked() { typed, response }: PageInput) {
    for (const name of DISPLAY_NAMES) keepDisplay(response, name, textOf(typed, name));
    putAway(response, textOf(typed, 'quiet'));
    const to = textOf(typed, 'to');
    return goTo(/^\/(?![/\\])/.test(to) ? to : HOME);
  }

  private async page(signedIn: SignedIn, request: Request, problems?: FieldProblem[], zoneTyped?: string) {
    const places = await this.places.listOf(signedIn.person.id);
    const sessions = await this.profiles.sessionsOf(signedIn);
    const codesLeft = await this.factors.codesLeft(signedIn.person);
    const mayReplacePassword = this.profiles.mayReplacePassword(signedIn);
    const isOurs = await this.addresses.isOurs(request);
    const arePossible = isOurs && this.passkeys.arePossible;
    const { length: count } = await this.passkeys.listOf(signedIn.person);
    const passkeys = { arePossible, isOurs, count };
    const providerName = isOurs ? this.oidc.providerName : null;
    const identities = { providerName, identities: await this.identities.listOf(signedIn.person) };
    const browserZone = browserZoneOf(request);
    const factors = { codesLeft, passkeys, identities, mayReplacePassword, browserZone };
    const shown = { signedIn, places, sessions, ...factors };
    const typed = zoneTyped === undefined ? {} : { zoneTyped };
    return page(AccountPage, { ...shown, ...typed, ...(problems && { problems }) });
  }

  /** List them, and offer to make another. */
  @Get('passkeys')
  @Fresh()
  showPasskey(@Asked() { signedIn, request }: PageInput) {
    return this.pagePasskey(signedIn, request, browserNameOf(request.headers['user-agent'] ?? ''));
  }

  /** Keep one that the browser made. */
  @Post('passkeys')
  @Fresh()
  async add(@Asked() { signedIn, typed, request }: PageInput) {
    const [name, credential] = [textOf(typed, 'name'), credentialOf(typed)];
    return attempt(
      async () => {
        const given = await checked(PasskeyNameDto, { name });
        if (credential === null) throw new InvalidForm([MISSING]);
        const address = addressOf(request, this.config);
        await this.passkeys.add(signedIn, given.name, credential, address);
        return goTo(PASSKEYS, 'passkey_added');
      },
      (problems) => this.pagePasskey(signedIn, request, name, problems),
    );
  }

  /** Rename one. */
  @Post('passkeys/:id/rename')
  async rename(@Asked() { signedIn, typed, request, id }: PageInput) {
    const { name } = await checked(PasskeyNameDto, { name: textOf(typed, 'name') });
    await this.passkeys.rename(signedIn, id, name, addressOf(request, this.config));
    return goTo(PASSKEYS, 'passkey_renamed');
  }

  /** Remove one. */
  @Post('passkeys/:id/remove')
  @Fresh()
  async remove(@Asked() { signedIn, request, id }: PageInput) {
    await this.passkeys.remove(signedIn, id, addressOf(request, this.config));
    return goTo(PASSKEYS, 'passkey_removed');
  }

  private async pagePasskey(signedIn: SignedIn, request: Request, name: string, problems?: FieldProblem[]) {
    const passkeys = await this.passkeys.listOf(signedIn.person);
    const isOurs = await this.addresses.isOurs(request);
    const arePossible = isOurs && this.passkeys.arePossible;
    return page(PasskeysPage, { passkeys, arePossible, isOurs, name, ...(problems && { problems }) });
  }
}

/** Serves the pages about the address that a person signs in with. */
@WebController('account/email', 'people')
export class EmailPagesController {
  constructor(
    private readonly emails: EmailChangeService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /** Ask for the new one. */
  @Get()
  showEmail(@Asked() { signedIn }: PageInput) {
    return page(EmailPage, { current: signedIn.person.email });
  }

  /** Mail a link to it. */
  @Post()
  @Fresh()
  async ask(@Asked() { signedIn, typed, request }: PageInput) {
    return attempt(
      async () => {
        const email = readEmail(typed);
        await this.askFor(signedIn, email, request);
        return page(EmailAskedPage, { email });
      },
      (problems) => {
        const shown = { current: signedIn.person.email, email: textOf(typed, 'email').trim() };
        return page(EmailPage, { ...shown, problems });
      },
    );
  }

  /** Mail a link to the address that the person has, to show that it is theirs. */
  @Post('proof')
  async prove(@Asked() { signedIn, request }: PageInput) {
    const { email } = signedIn.person;
    await this.askFor(signedIn, email, request);
    return page(EmailAskedPage, { email, isKnown: true });
  }

  /** Mail the same, and say so in the frame beside the settings of a form, where nothing typed is lost. */
  @Post('framed-proof')
  proveFramed(@Asked() { signedIn, request }: PageInput) {
    const { email } = signedIn.person;
    return answerInFrame(async () => {
      await this.askFor(signedIn, email, request);
      return framed(ProofFramePage({ message: emailWords.sent(email) }));
    });
  }

  /** Take the link of the mail; opening it changes nothing. */
  @Get('confirm')
  open() {
    return page(ConfirmEmailPage, {});
  }

  /** Change the address. */
  @Post('confirm')
  @Fresh()
  async confirm(@Asked() { signedIn, typed, request }: PageInput) {
    try {
      const address = addressOf(request, this.config);
      const isOther = await this.emails.confirm(signedIn, textOf(typed, 'link'), address);
      return goTo('/account', isOther ? 'email_changed' : 'email_proved');
    } catch (error) {
      if (!(error instanceof AddressLinkOver)) throw error;
      return page(ConfirmEmailPage, { problem: error.message }, { status: NOT_FOUND });
    }
  }

  private async askFor(signedIn: SignedIn, email: string, request: Request) {
    const baseUrl = await this.addresses.ofRequest(request);
    await this.emails.ask(signedIn, email, addressOf(request, this.config), baseUrl);
  }
}

const PASSKEYS = '/account/passkeys';

/** The form came without the field that script fills in. */
const MISSING = { field: 'credential', code: 'missing', message: 'Passkey missing. Press the button to add one.' };

const NOT_FOUND = 404;

/** Serves the pages about codes of an authenticator app and about recovery codes. */
@WebController('account/totp', 'people')
@Fresh()
export class TotpController {
  constructor(
    private readonly factors: FactorsService,
    private readonly config: Config,
  ) {}

  /** Show a secret for the app; nothing changes yet. */
  @Get()
  ask(@Asked() { signedIn }: PageInput) {
    return secretPage(signedIn, newTotpSecret());
  }

  /** Ask for codes from now on, and show the recovery codes. */
  @Post()
  async add(@Asked() { signedIn, typed, request }: PageInput) {
    const [secret, code] = [textOf(typed, 'secret'), textOf(typed, 'code')];
    return attempt(
      async () => {
        const address = addressOf(request, this.config);
        return codesPage(await this.factors.addTotp(signedIn, secret, code, address));
      },
      (problems) => secretPage(signedIn, isTotpSecret(secret) ? secret : newTotpSecret(), problems),
    );
  }

  /** Ask for the password alone from now on. */
  @Post('remove')
  async remove(@Asked() { signedIn, request }: PageInput) {
    await this.factors.removeTotp(signedIn, addressOf(request, this.config));
    return goTo('/account', 'factor_removed');
  }

  /** Put new recovery codes in the place of the former ones. */
  @Post('codes')
  async renew(@Asked() { signedIn, request }: PageInput) {
    const address = addressOf(request, this.config);
    return codesPage(await this.factors.renewCodes(signedIn, address));
  }
}

function secretPage({ person: { email } }: SignedIn, secret: string, problems?: FieldProblem[]) {
  return page(TotpPage, { email, secret, ...(problems && { problems }) }, { isSecret: true });
}

function codesPage(codes: string[]) {
  return page(RecoveryCodesPage, { codes }, { isSecret: true });
}
