import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { SessionRoute } from '../accounts/access/access.decorators.js';
import { CurrentPerson } from '../people/auth/browsers.cookie.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { uuidOf } from '../platform/kernel/uuid.js';
import { SendTestMailDto, TestMailDto } from './dto/test-mail.dto.js';
import { TestMailsService } from './test-mails.service.js';

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
    @Body() { identifier, destination_id: id, settings = {} }: SendTestMailDto,
  ): Promise<TestMailDto> {
    const ended = await this.mails.send(signedIn, { identifier, id: uuidOf(id), settings });
    return TestMailDto.of(signedIn.person.email, ended);
  }
}
