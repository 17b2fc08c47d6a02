import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { SessionRoute } from '../access/access.decorators.js';
import { PasskeySignInService } from '../people/sign-in-methods/passkey-sign-in.service.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { SignInService } from '../people/sign-in/sign-in.service.js';
import { Config } from '../platform/config/config.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { Browsers, deviceOf } from './browsers.cookie.js';
import { PasskeyOptionsDto, PasskeySignInDto } from './dto/passkey.dto.js';
import { CurrentPerson } from './signed-in.decorator.js';

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
