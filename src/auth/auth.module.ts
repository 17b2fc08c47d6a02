import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClientsModule } from '../clients/clients.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { BodyGuard } from '../platform/http/bodies/body.guard.js';
import { PeopleModule } from '../people/people.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { BearerGuard, BearerStrategy, FormGuard } from './bearer.guard.js';
import { SessionGuard } from './session.guard.js';
import { Browsers } from './browsers.cookie.js';
import {
  EmailController,
  TestMailsController,
  SettingsController,
  ViewController,
  PasskeySignInController,
  PasskeysController,
} from './person.controller.js';
import { Principals } from './principals.js';
import { HostsModule } from '../hosts/hosts.module.js';
import { JobsModule } from '../jobs/jobs.module.js';

@Module({
  imports: [TokensModule, ClientsModule, HostsModule, FormsModule, PeopleModule, JobsModule],
  controllers: [
    PasskeysController,
    PasskeySignInController,
    EmailController,
    TestMailsController,
    ViewController,
    SettingsController,
  ],
  providers: [
    BearerStrategy,
    Browsers,
    Principals,
    // In this order: who asks, for which form, then what they send.
    { provide: APP_GUARD, useClass: BearerGuard },
    { provide: APP_GUARD, useClass: SessionGuard },
    { provide: APP_GUARD, useClass: FormGuard },
    { provide: APP_GUARD, useClass: BodyGuard },
  ],
  exports: [Browsers, Principals],
})
export class AuthModule {}
