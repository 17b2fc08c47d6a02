import { Injectable } from '@nestjs/common';
import type { Form } from '../../forms/model/form.entity.js';
import { Clock, DAY_MS } from '../../platform/kernel/time.js';
import { OriginsService } from '../../search/origins/origins.service.js';
import { CaptchaTroubles } from '../../spam/captcha/captcha-verifier.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { allowsOrigin } from '../../spam/signals/origin.js';
import { ChecksForms, findIn } from '../finding.js';

/** Age in milliseconds up to which refused origins count. */
const RECENT_MS = 7 * DAY_MS;

/** Finds forms whose settings against spam hold back what they should let through. */
@Injectable()
export class SpamChecks {
  constructor(
    private readonly origins: OriginsService,
    private readonly captchas: CaptchaTroubles,
    private readonly clock: Clock,
  ) {}

  @ChecksForms()
  async domains(all: readonly Form[]) {
    const forms = all.filter(({ whitelistedDomains }) => whitelistedDomains !== null);
    const from = new Date(this.clock.now().getTime() - RECENT_MS);
    const refused = await this.origins.refused(
      forms.map(({ id }) => id),
      from,
    );
    return findIn(forms, ({ id, identifier, whitelistedDomains }) => {
      const lately = refused.get(id) ?? [];
      const origins = lately.filter((origin) => !allowsOrigin(whitelistedDomains, origin));
      if (origins.length === 0) return [];
      const text = `Recent submissions went to spam because of the domain they came from: ${origins.join(', ')}.`;
      const fix = `If one of these domains is yours, allow it with POST /api/v1/forms/${identifier}/origins.`;
      return [{ code: 'origins_refused', severity: 'lasting', text, fix }];
    });
  }

  @ChecksForms()
  async captcha(all: readonly Form[]) {
    const forms = all.filter((form) => SpamSettings.of(form).captcha !== null);
    const troubles = await this.captchas.recentAmong(forms.map(({ id }) => id));
    return findIn(forms, (form) => {
      const trouble = troubles.get(form.id);
      if (trouble === undefined) return [];
      const provider = SpamSettings.of(form).captcha?.provider ?? '';
      const text = `${provider} rejects the captcha keys ("${trouble}"), so submissions are held.`;
      const fix = `Set site_key and secret again with PUT /api/v1/forms/${form.identifier}/spam.`;
      return [{ code: 'captcha_unverified', severity: 'lasting', text, fix }];
    });
  }
}
