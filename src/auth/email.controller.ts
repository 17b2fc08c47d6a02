import { Body, Controller, HttpCode, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import { SessionRoute } from '../access/access.decorators.js';
import { PublicAddresses } from '../hosts/public-addresses.js';
import { EmailChangeService } from '../people/profile/email-change.service.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { Config } from '../platform/config/config.js';
import { addressOf } from '../platform/http/requests/address.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { EmailLinkDto, NewEmailDto } from './dto/email.dto.js';
import { Fresh } from './fresh.interceptor.js';
import { CurrentPerson } from './signed-in.decorator.js';

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
    await this.emails.ask(
      signedIn,
      email,
      addressOf(request, this.config),
      await this.addresses.ofRequest(request),
    );
    return {
      message:
        'We have sent a link to this address, unless another person already signs in with it.',
    };
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
    return {
      message: isOther ? 'You sign in with the new address now.' : 'The address is verified.',
    };
  }
}
