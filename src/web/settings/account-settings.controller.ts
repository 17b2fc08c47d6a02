import { Get } from '@nestjs/common';
import { page } from '../kit/answers.js';
import { WebController } from '../kit/web-controller.js';
import { SettingsPage } from './account-settings.page.js';

/** Serves the index of the settings of an account. */
@WebController('settings')
export class AccountSettingsController {
  /** List the settings of the account. */
  @Get()
  list() {
    return page(SettingsPage, {});
  }
}
