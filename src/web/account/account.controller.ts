import { Body, Controller, Get, Post, Req, Res, UseFilters } from '@nestjs/common';
import type { Request, Response } from 'express';
import { WebPage } from '../../access/access.decorators.js';
import { ChangeSettingsDto } from '../../auth/dto/settings.dto.js';
import { CurrentPerson } from '../../auth/signed-in.decorator.js';
import { PublicAddresses } from '../../hosts/public-addresses.js';
import { Config } from '../../platform/config/config.js';
import { addressOf } from '../../platform/http/requests/address.js';
import { FactorsService } from '../../people/credentials/factors.service.js';
import { IdentitiesService } from '../../people/credentials/identities.service.js';
import { OidcSignInService } from '../../people/sign-in-methods/oidc-sign-in.service.js';
import { PasskeysService } from '../../people/credentials/passkeys.service.js';
import { ProfileService } from '../../people/profile/profile.service.js';
import { SignInService, type SignedIn } from '../../people/sign-in/sign-in.service.js';
import { InvalidInputError, type FieldProblem } from '../../platform/kernel/errors.js';
import { parseUuid } from '../../platform/kernel/uuid.js';
import { redirect } from '../layout/flash.js';
import { Frames } from '../layout/frames.js';
import { sendPage, UNPROCESSABLE } from '../layout/send-page.js';
import { checked, isTicked, problemsOf, textOf, type Typed } from '../parts/typed.js';
import { WebFilter } from '../layout/web.filter.js';
import { browserZoneOf } from '../sign-in/person-fields.js';
import { HOME } from '../sign-in/sign-in.controller.js';
import { AccountPage } from './account.page.js';
import { ZONE_FIELD } from './zone.js';

const PATH = '/account';
const NO_MEMBERSHIP = 0;

/** Serves the page about oneself: the places where one acts, the sessions, the password. */
@Controller('account')
@WebPage('people')
@UseFilters(WebFilter)
export class AccountController {
  constructor(
    private readonly profiles: ProfileService,
    private readonly signIns: SignInService,
    private readonly factors: FactorsService,
    private readonly passkeys: PasskeysService,
    private readonly identities: IdentitiesService,
    private readonly oidc: OidcSignInService,
    private readonly addresses: PublicAddresses,
    private readonly frames: Frames,
    private readonly config: Config,
  ) {}

  /** Show it all. */
  @Get()
  show(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.send(signedIn, request, response);
  }

  /** Go on in another account, or for another client. */
  @Post('switch')
  async switchTo(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const text = textOf(typed, 'membership');
    const id = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : NO_MEMBERSHIP;
    await this.signIns.switchTo(signedIn, id);
    redirect(response, HOME, 'switched');
  }

  /** Sign out another browser. */
  @Post('sessions/end')
  async endSession(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const id = parseUuid(textOf(typed, 'session'));
    const address = addressOf(request, this.config);
    await this.profiles.endSession(signedIn, id ?? Buffer.alloc(0), address);
    redirect(response, PATH, 'session_ended');
  }

  /** Sign out all other browsers. */
  @Post('sessions/end-others')
  async endOthers(
    @CurrentPerson() signedIn: SignedIn,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.profiles.endOtherSessions(signedIn, addressOf(request, this.config));
    redirect(response, PATH, 'sessions_ended');
  }

  /** Switch the keys on or off. */
  @Post('keys')
  async switchKeys(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const isOn = isTicked(typed, 'keys');
    await this.profiles.changeSettings(signedIn, { keysOff: !isOn });
    redirect(response, PATH, isOn ? 'keys_on' : 'keys_off');
  }

  /** Tell times in another time zone. */
  @Post('time-zone')
  async changeZone(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const zone = textOf(typed, ZONE_FIELD).trim();
    try {
      const { settings } = await checked(ChangeSettingsDto, { settings: { time_zone: zone } });
      await this.profiles.changeSettings(signedIn, { timeZone: settings.time_zone ?? zone });
      redirect(response, PATH, 'zone_set');
    } catch (error) {
      await this.send(signedIn, request, response, problemsOf(error), zone);
    }
  }

  /** Change the password, or set one. */
  @Post('password')
  async changePassword(
    @CurrentPerson() signedIn: SignedIn,
    @Body() typed: Typed | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const address = addressOf(request, this.config);
    const [current, next] = [textOf(typed, 'current'), textOf(typed, 'password')];
    try {
      await this.profiles.changePassword(signedIn, current, next, address);
      redirect(response, PATH, 'password_changed');
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error;
      await this.send(signedIn, request, response, error.fields);
    }
  }

  private async send(
    signedIn: SignedIn,
    request: Request,
    response: Response,
    problems?: FieldProblem[],
    zoneTyped?: string,
  ): Promise<void> {
    const frame = await this.frames.of(request, response, signedIn);
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
    const shown = { frame, signedIn, places, sessions, ...factors };
    const typed = zoneTyped === undefined ? {} : { zoneTyped };
    const page = { ...shown, ...typed, ...(problems && { problems }) };
    sendPage(response, AccountPage(page), problems ? UNPROCESSABLE : 200);
  }
}
