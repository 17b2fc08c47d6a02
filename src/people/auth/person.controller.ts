import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SessionRoute, OpenWhileViewing } from '../../accounts/access/index.js';
import { PasskeySignInService } from '../sign-in-methods/passkey-sign-in.service.js';
import { PasskeysService } from '../credentials/passkeys.service.js';
import { type SignedIn, SignInService } from '../sign-in/sign-in.service.js';
import { Config } from '../../platform/index.js';
import { addressOf, MessageDto, UuidParam } from '../../platform/http/index.js';
import {
  AddPasskeyDto,
  PasskeyDto,
  PasskeyListDto,
  PasskeyOptionsDto,
  RenamePasskeyDto,
  PasskeySignInDto,
  ChangeSettingsDto,
  SettingsDto,
  EmailLinkDto,
  NewEmailDto,
  BeginViewDto,
  ViewDto,
} from './person.dto.js';
import { Fresh, CurrentPerson, Browsers, deviceOf } from './browsers.cookie.js';
import { ProfileService, EmailChangeService } from '../profile/profile.service.js';
import { PublicAddresses } from '../../clients/hosts/hosts.service.js';
import { ViewsService } from '../sign-in/views.service.js';

/** Lists, adds and removes the passkeys of who is signed in. */
@Controller('api/v1/me/passkeys')
@SessionRoute()
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly proofs: PasskeySignInService,
    private readonly config: Config,
  ) {}

  /** List your passkeys, oldest first. */
  @Get()
  async list(@CurrentPerson() { person }: SignedIn): Promise<PasskeyListDto> {
    return PasskeyListDto.of(await this.passkeys.listOf(person));
  }

  /** Get the options for a new passkey, valid once for five minutes. */
  @Post('options')
  @HttpCode(200)
  @Fresh()
  async optionsToAdd(@CurrentPerson() signedIn: SignedIn): Promise<PasskeyOptionsDto> {
    return PasskeyOptionsDto.of(await this.passkeys.optionsToAdd(signedIn));
  }

  /** Add a passkey from your browser. All your other sessions end, and a mail tells you of it. */
  @Post()
  @Fresh()
  async add(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { passkey: { name }, credential }: AddPasskeyDto,
    @Req() request: Request,
  ): Promise<PasskeyDto> {
    const address = addressOf(request, this.config);
    return PasskeyDto.of(await this.passkeys.add(signedIn, name, credential, address));
  }

  /** Get the options to confirm your identity with a passkey. */
  @Post('proof-options')
  @HttpCode(200)
  async optionsToProve(@CurrentPerson() signedIn: SignedIn): Promise<PasskeyOptionsDto> {
    return PasskeyOptionsDto.of(await this.proofs.optionsToProve(signedIn));
  }

  /** Rename a passkey. */
  @Patch(':id')
  async rename(
    @CurrentPerson() signedIn: SignedIn,
    @UuidParam('id') id: Buffer | null,
    @Body() { passkey: { name } }: RenamePasskeyDto,
    @Req() request: Request,
  ): Promise<PasskeyDto> {
    const address = addressOf(request, this.config);
    return PasskeyDto.of(await this.passkeys.rename(signedIn, id, name, address));
  }

  /** Remove a passkey: nobody signs in with it any more. All your other sessions end, and a mail tells you of it. */
  @Delete(':id')
  @Fresh()
  async remove(
    @CurrentPerson() signedIn: SignedIn,
    @UuidParam('id') id: Buffer | null,
    @Req() request: Request,
  ): Promise<MessageDto> {
    await this.passkeys.remove(signedIn, id, addressOf(request, this.config));
    return { message: 'The passkey has been removed.' };
  }
}

/** Signs people in by a passkey, without typing an address. */
@Controller('api/v1/sign-in/passkey')
@SessionRoute('everyone')
export class PasskeySignInController {
  constructor(
    private readonly passkeys: PasskeySignInService,
    private readonly signIns: SignInService,
    private readonly browsers: Browsers,
    private readonly config: Config,
  ) {}

  /** Get the options to sign in with a passkey, valid once for five minutes. */
  @Post('options')
  @HttpCode(200)
  async options(): Promise<PasskeyOptionsDto> {
    return PasskeyOptionsDto.of(await this.passkeys.optionsToSignIn());
  }

  /** Sign in with a passkey: the answer sets the cookie of the new session. No code is asked for afterwards. */
  @Post()
  @HttpCode(200)
  async signIn(
    @CurrentPerson() signedIn: SignedIn | undefined,
    @Body() { credential, shared_device: isShared = false }: PasskeySignInDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<MessageDto> {
    const device = deviceOf(request, this.config, isShared);
    const begun = await this.passkeys.signIn(credential, device);
    if (signedIn) await this.signIns.signOut(signedIn, device.address);
    await this.browsers.letIn(request, response, begun);
    return { message: 'You are signed in.' };
  }
}

/** Shows and changes how the pages behave for who is signed in, in every browser. */
@Controller('api/v1/me/settings')
@SessionRoute()
export class SettingsController {
  constructor(private readonly profiles: ProfileService) {}

  /** Show your personal settings. */
  @Get()
  show(@CurrentPerson() { person }: SignedIn): SettingsDto {
    return SettingsDto.of(person);
  }

  /** Change your personal settings, for every browser. What is absent stays. */
  @Patch()
  async change(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { settings: { keys, time_zone } }: ChangeSettingsDto,
  ): Promise<SettingsDto> {
    const { keysOff, timeZone } = signedIn.person;
    const settings = { keysOff: keys === undefined ? keysOff : !keys, timeZone: time_zone ?? timeZone };
    return SettingsDto.of(await this.profiles.changeSettings(signedIn, settings));
  }
}

/** Changes the address that a person signs in with. */
@Controller('api/v1/me/email')
@SessionRoute()
@Fresh()
export class EmailController {
  constructor(
    private readonly emails: EmailChangeService,
    private readonly addresses: PublicAddresses,
    private readonly config: Config,
  ) {}

  /**
   * Ask for a change of your email address: a mail to it has a link, and nothing changes before. With your own,
   * the link shows that it is yours.
   */
  @Post()
  @HttpCode(200)
  async ask(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { email }: NewEmailDto,
    @Req() request: Request,
  ): Promise<MessageDto> {
    await this.emails.ask(signedIn, email, addressOf(request, this.config), await this.addresses.ofRequest(request));
    return { message: 'We have sent a link to this address, unless another person already signs in with it.' };
  }

  /** Confirm your new email address. All your other sessions end, and mails to both addresses tell of it. */
  @Post('confirm')
  @HttpCode(200)
  async confirm(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { link }: EmailLinkDto,
    @Req() request: Request,
  ): Promise<MessageDto> {
    const isOther = await this.emails.confirm(signedIn, link, addressOf(request, this.config));
    return { message: isOther ? 'You sign in with the new address now.' : 'The address is verified.' };
  }
}

/** Begins and ends the view of an owner, who then sees the pages as somebody else in the browser that asks. */
@Controller('api/v1/me/view')
@SessionRoute()
export class ViewController {
  constructor(
    private readonly views: ViewsService,
    private readonly config: Config,
  ) {}

  /** Show the person you are viewing as. */
  @Get()
  @OpenWhileViewing()
  show(@CurrentPerson() { view }: SignedIn): ViewDto {
    return ViewDto.of(view);
  }

  /**
   * Start viewing as another person of your account or of one of its clients. Until you end it nothing can be
   * changed in this browser. For owners.
   */
  @Post()
  @HttpCode(200)
  @Fresh()
  async begin(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { view: { person_id: personId, client_id: clientId = null } }: BeginViewDto,
    @Req() request: Request,
  ): Promise<ViewDto> {
    const address = addressOf(request, this.config);
    return ViewDto.of(await this.views.begin(signedIn, personId, clientId, address));
  }

  /** Stop viewing as another person. */
  @Delete()
  @OpenWhileViewing()
  async end(@CurrentPerson() signedIn: SignedIn, @Req() request: Request): Promise<ViewDto> {
    await this.views.end(signedIn, addressOf(request, this.config));
    return ViewDto.of(null);
  }
}
