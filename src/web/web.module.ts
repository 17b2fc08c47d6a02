import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { PeopleModule } from '../people/people.module.js';
import { AccountController } from './account/account.controller.js';
import { ClientPagesController } from './clients/clients.controller.js';
import { FormPagesController } from './forms/forms.controller.js';
import { InboxController } from './inbox/inbox.controller.js';
import { SubmissionPagesController } from './inbox/submission.controller.js';
import { TotpController } from './account/totp.controller.js';
import { ConfirmController } from './confirm/confirm.controller.js';
import { AssetsController } from './layout/assets.controller.js';
import { Frames } from './layout/frames.js';
import { Troubles } from './layout/troubles.js';
import { InvitationController } from './sign-in/invitation.controller.js';
import { SetupController } from './sign-in/setup.controller.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { StatusController } from './status/status.controller.js';
import { TokenPagesController } from './tokens/tokens.controller.js';

const PAGES = [
  SignInController,
  SetupController,
  InvitationController,
  AccountController,
  InboxController,
  FormPagesController,
  SubmissionPagesController,
  ClientPagesController,
  TokenPagesController,
  StatusController,
  TotpController,
  ConfirmController,
];

/** The pages for people who sign in; nobody imports it. */
@Module({
  imports: [
    AccountsModule,
    PeopleModule,
    ClientsModule,
    DeliveriesModule,
    FormsModule,
    SubmissionsModule,
    TokensModule,
    WarningsModule,
    WebhooksModule,
  ],
  controllers: [AssetsController, ...PAGES],
  providers: [Frames, Troubles],
})
export class WebModule {}
