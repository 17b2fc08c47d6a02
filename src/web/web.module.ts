import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import { urlencoded } from 'express';
import { AccountsModule } from '../accounts/accounts.module.js';
import { API_BODY_LIMIT_BYTES } from '../platform/http/api-body-limit.js';
import { PeopleModule } from '../people/people.module.js';
import { AccountController } from './account/account.controller.js';
import { AssetsController } from './layout/assets.controller.js';
import { Frames } from './layout/frames.js';
import { InvitationController } from './sign-in/invitation.controller.js';
import { SetupController } from './sign-in/setup.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';

/** What forms of pages are sent to. */
const PAGES = [SignInController, SetupController, InvitationController, AccountController];

/** The pages for people who sign in; nobody imports it. */
@Module({
  imports: [AccountsModule, PeopleModule],
  controllers: [AssetsController, ...PAGES],
  providers: [Frames],
})
export class WebModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer
      .apply(urlencoded({ extended: false, limit: API_BODY_LIMIT_BYTES }))
      .forRoutes(...PAGES);
  }
}
