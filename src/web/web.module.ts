import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PeopleModule } from '../people/people.module.js';
import { AccountController } from './account/account.controller.js';
import { AssetsController } from './layout/assets.controller.js';
import { Frames } from './layout/frames.js';
import { InvitationController } from './sign-in/invitation.controller.js';
import { SetupController } from './sign-in/setup.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';

const PAGES = [SignInController, SetupController, InvitationController, AccountController];

/** The pages for people who sign in; nobody imports it. */
@Module({
  imports: [AccountsModule, PeopleModule],
  controllers: [AssetsController, ...PAGES],
  providers: [Frames],
})
export class WebModule {}
