import { Injectable } from '@nestjs/common';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Principal, Scope } from '../accounts/access/index.js';
import { FormsService } from '../forms/forms.service.js';
import { CaptchaTroubles } from './captcha/captcha-verifier.js';
import { SpamBandsCrossed } from './evidence/spam-evidence.js';
import { SpamSettings, type SpamRulesChange } from './judge/spam-settings.js';

/** Shows and changes what forms say about spam. */
@Injectable()
export class SpamSettingsService {
  constructor(
    private readonly forms: FormsService,
    private readonly queries: FormQueries,
    private readonly troubles: CaptchaTroubles,
  ) {}

  /** @throws FormNotFound */
  async get(scope: Scope, identifier: string): Promise<SpamSettings> {
    return SpamSettings.of(await this.queries.get(scope, identifier));
  }

  /**
   * Changes what is named.
   * @throws FormNotFound, SpamBandsCrossed, CaptchaIncomplete
   */
  async change(principal: Principal, identifier: string, change: SpamRulesChange): Promise<SpamSettings> {
    const form = await this.forms.change(principal, identifier, (form) => {
      const spamSettings = SpamSettings.of(form).changed(change);
      const { whitelistedDomains } = form;
      const { heldAt, spamAt } = SpamSettings.of({ spamSettings, whitelistedDomains });
      if (spamAt < heldAt) throw new SpamBandsCrossed();
      return { spamSettings };
    });
    if (change.captcha !== undefined) await this.troubles.forgetForm(form.id);
    return SpamSettings.of(form);
  }
}
