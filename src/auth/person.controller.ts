import { Body, Controller, Get, Patch, HttpCode, Post, Req, Delete } from '@nestjs/common';
import { SessionRoute, OpenWhileViewing } from '../access/access.decorators.js';
import { ProfileService } from '../people/profile/profile.service.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { ChangeSettingsDto, SettingsDto } from './dto/settings.dto.js';
import { CurrentPerson } from './signed-in.decorator.js';
import type { Request } from 'express';
import { PublicAddresses } from '../hosts/public-addresses.js';
import { EmailChangeService } from '../people/profile/email-change.service.js';
import { Config } from '../platform/config/config.js';
import { addressOf } from '../platform/http/requests/address.js';
import { MessageDto } from '../platform/http/message.dto.js';
import { EmailLinkDto, NewEmailDto } from './dto/email.dto.js';
import { Fresh } from './fresh.interceptor.js';
import { ViewsService } from '../people/sign-in/views.service.js';
import { BeginViewDto, ViewDto } from './dto/view.dto.js';
import { ChangeFormSettingsDto } from '../forms/dto/change-form.dto.js';
import { TestMailsService } from '../people/profile/test-mails.service.js';
import { SendTestMailDto, TestMailDto } from './dto/test-mail.dto.js';

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
    const settings = {
      keysOff: keys === undefined ? keysOff : !keys,
      timeZone: time_zone ?? timeZone,
    };
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

/** Sends the mails of forms to who is signed in. */
@Controller('api/v1/me/test-mails')
@SessionRoute()
export class TestMailsController {
  constructor(private readonly mails: TestMailsService) {}

  /**
   * Send yourself a test email of a form, for its newest submission. It goes to your own address alone, which
   * has to be verified: you have used a link that was mailed there.
   */
  @Post()
  @HttpCode(200)
  async send(
    @CurrentPerson() signedIn: SignedIn,
    @Body() { identifier, mail, form = {} }: SendTestMailDto,
  ): Promise<TestMailDto> {
    const settings = ChangeFormSettingsDto.of(form);
    const ended = await this.mails.send(signedIn, { identifier, mail, settings });
    return TestMailDto.of(signedIn.person.email, ended);
  }
}
