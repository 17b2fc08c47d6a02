export { BearerStrategy } from './bearer.guard.js';
export { Browsers } from './browsers.cookie.js';
export {
  EmailController,
  TestMailsController,
  SettingsController,
  ViewController,
  PasskeySignInController,
  PasskeysController,
} from './person.controller.js';
export { Principals } from './principals.js';
