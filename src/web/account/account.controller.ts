import { Get, Post } from '@nestjs/common';
import type { Request } from 'express';
import { ChangeSettingsDto } from '../../auth/dto/settings.dto.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { recordIdOf } from '../../platform/http/record-id.pipe.js';
import { FactorsService } from '../../people/credentials/factors.service.js';
import { IdentitiesService } from '../../people/credentials/identities.service.js';
import { OidcSignInService } from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { ProfileService } from '../../people/profile/profile.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { checked, isTicked, textOf } from '../parts/typed.js';
import { browserZoneOf } from '../sign-in/person-fields.js';
import { HOME } from '../sign-in/sign-in.controller.js';
import { AccountPage, ZONE_FIELD } from './account.page.js';
import { attempt, goTo, page, type PageAnswer } from '../kit/answers.js';
import { Asked, type PageInput, WebController } from '../kit/web-controller.js';
import { DISPLAY_NAMES, keepDisplay, putAway } from '../layout/display.js';
import { Fresh } from '../../auth/fresh.interceptor.js';

const PATH = '/account';

/** Serves the page about oneself: the places where one acts, the sessions, the password. */
@WebController('account', 'people')
export class AccountController {
  constructor(
    private readonly profiles: ProfileService,
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
  show(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    return this.page(signedIn, request);
  }

  /** Go on in another account, or for another client. */
  @Post('switch')
  async switchTo(@Asked() { signedIn, typed }: PageInput): Promise<PageAnswer> {
    await this.signIns.switchTo(signedIn, recordIdOf(textOf(typed, 'membership')));
    return goTo(HOME, 'switched');
  }

  /** Sign out another browser. */
  @Post('sessions/end')
  async endSession(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    const id = parseUuid(textOf(typed, 'session'));
    const address = addressOf(request, this.config);
    await this.profiles.endSession(signedIn, id ?? Buffer.alloc(0), address);
    return goTo(PATH, 'session_ended');
  }

  /** Sign out all other browsers. */
  @Post('sessions/end-others')
  async endOthers(@Asked() { signedIn, request }: PageInput): Promise<PageAnswer> {
    await this.profiles.endOtherSessions(signedIn, addressOf(request, this.config));
    return goTo(PATH, 'sessions_ended');
  }

  /** Switch the keys on or off. */
  @Post('keys')
  async switchKeys(@Asked() { signedIn, typed }: PageInput): Promise<PageAnswer> {
    const isOn = isTicked(typed, 'keys');
    await this.profiles.changeSettings(signedIn, { keysOff: !isOn });
    return goTo(PATH, isOn ? 'keys_on' : 'keys_off');
  }

  /** Tell times in another time zone. */
  @Post('time-zone')
  async changeZone(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
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
  async changePassword(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
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
  async unlink(@Asked() { signedIn, typed, request }: PageInput): Promise<PageAnswer> {
    const id = parseUuid(textOf(typed, 'identity'));
    await this.identities.removeOwn(signedIn, id, addressOf(request, this.config));
    return goTo(PATH, 'identity_unlinked');
  }

  /** Keep how this browser draws the pages, and go back to the page that it was chosen on. */
  @Post('display')
  choose(@Asked() { typed, response }: PageInput): PageAnswer {
    for (const name of DISPLAY_NAMES) keepDisplay(response, name, textOf(typed, name));
    putAway(response, textOf(typed, 'quiet'));
    const to = textOf(typed, 'to');
    return goTo(/^\/(?![/\\])/.test(to) ? to : HOME);
  }

  private async page(
    signedIn: SignedIn,
    request: Request,
    problems?: FieldProblem[],
    zoneTyped?: string,
  ): Promise<PageAnswer> {
    const places = await this.profiles.listOf(signedIn.person.id);
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
}
