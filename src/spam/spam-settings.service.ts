import { Injectable } from '@nestjs/common';
import type { Principal, Scope } from '../access/principal.js';
import { FormsService } from '../forms/forms.service.js';
import { SpamBandsCrossed } from './spam.errors.js';
import { SpamSettings, type SpamRulesChange } from './spam-settings.js';

/** Shows and changes what forms say about spam. */
@Injectable()
export class SpamSettingsService {
  constructor(private readonly forms: FormsService) {}

  /** @throws FormNotFound */
  async get(scope: Scope, identifier: string): Promise<SpamSettings> {
    return SpamSettings.of(await this.forms.get(scope, identifier));
  }

  /**
   * Changes what is named.
   * @throws FormNotFound, SpamBandsCrossed
   */
  async change(
    principal: Principal,
    identifier: string,
    change: SpamRulesChange,
  ): Promise<SpamSettings> {
    const form = await this.forms.setExtras(principal, identifier, (form) => {
      const spamSettings = SpamSettings.of(form).changed(change);
      const { whitelistedDomains } = form;
      const { heldAt, spamAt } = SpamSettings.of({ spamSettings, whitelistedDomains });
      if (spamAt < heldAt) throw new SpamBandsCrossed();
      return { spamSettings };
    });
    return SpamSettings.of(form);
  }
}
