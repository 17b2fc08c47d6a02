import { Room } from '../platform/room.js';
import { APP_GUARD } from '@nestjs/core';
import { BodyGuard } from '../platform/http/bodies/body.guard.js';
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

@Room({
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
})
export class AuthModule {}
