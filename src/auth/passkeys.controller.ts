import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
  Res,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { SessionRoute } from '../access/access.decorators.js';
import { PasskeySignInService } from '../people/sign-in-methods/passkey-sign-in.service.js';
import { PasskeysService } from '../people/credentials/passkeys.service.js';
import { type SignedIn, SignInService } from '../people/sign-in/sign-in.service.js';
import { Config } from '../platform/config/config.js';
import { addressOf } from '../platform/http/requests/address.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { Uuid, UuidInPath } from '../platform/http/uuid.pipe.js';
import {
  AddPasskeyDto,
  PasskeyDto,
  PasskeyListDto,
  PasskeyOptionsDto,
  RenamePasskeyDto,
  PasskeySignInDto,
} from './dto/passkey.dto.js';
import { Fresh } from './fresh.interceptor.js';
import { CurrentPerson } from './signed-in.decorator.js';
import { Browsers, deviceOf } from './browsers.cookie.js';

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
  @UuidInPath('id')
  async rename(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
    @Body() { passkey: { name } }: RenamePasskeyDto,
    @Req() request: Request,
  ): Promise<PasskeyDto> {
    const address = addressOf(request, this.config);
    return PasskeyDto.of(await this.passkeys.rename(signedIn, id, name, address));
  }

  /** Remove a passkey: nobody signs in with it any more. All your other sessions end, and a mail tells you of it. */
  @Delete(':id')
  @UuidInPath('id')
  @Fresh()
  async remove(
    @CurrentPerson() signedIn: SignedIn,
    @Param('id', Uuid) id: Buffer | null,
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
