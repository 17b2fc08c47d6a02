import { APP_GUARD } from '@nestjs/core';
import { BodyGuard } from '../platform/http/bodies/body.guard.js';
import { Room } from '../platform/room.js';
import * as parts from './auth.parts.module.js';
import { BearerGuard, FormGuard } from './bearer.guard.js';
import { SessionGuard } from './session.guard.js';

@Room({
  ...parts,
  // In this order: who asks, for which form, then what they send.
  bearer: { provide: APP_GUARD, useClass: BearerGuard },
  session: { provide: APP_GUARD, useClass: SessionGuard },
  form: { provide: APP_GUARD, useClass: FormGuard },
  body: { provide: APP_GUARD, useClass: BodyGuard },
})
export class AuthModule {}
