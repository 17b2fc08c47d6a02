import { APP_GUARD } from '@nestjs/core';
import { BodyGuard } from '../platform/http/bodies/body.guard.js';
import { BearerGuard, FormGuard } from './bearer.guard.js';
import { SessionGuard } from './session.guard.js';

export { BearerStrategy } from './bearer.guard.js';
export { Browsers } from './browsers.cookie.js';
export {
  EmailController,
  SettingsController,
  ViewController,
  PasskeySignInController,
  PasskeysController,
} from './person.controller.js';
export { Principals } from './principals.js';

/** In this order: who asks, for which form, then what they send. */
export const guards = [BearerGuard, SessionGuard, FormGuard, BodyGuard].map((useClass) => ({
  provide: APP_GUARD,
  useClass,
}));
