import { Injectable } from '@nestjs/common';
import type { Scope } from '../access/principal.js';
import { GuardedHttpClient, PrivateAddress } from '../platform/http-client/guarded-http-client.js';
import type { SettingsChange } from './model/form-changes.js';
import type { FormSettings } from './model/form-settings.js';
import { FormsRepository } from './forms.repository.js';

/** Refuses new addresses of webhooks that lead where no call goes, before anything is lost by them. */
@Injectable()
export class WebhookAddresses {
  constructor(
    private readonly forms: FormsRepository,
    private readonly http: GuardedHttpClient,
  ) {}

  /**
   * Checks the address that settings set. One that a form has already may stay.
   * @param identifier of the form that is changed
   * @throws PrivateAddress, FormNotFound
   */
  async check(scope: Scope, identifier: string, settings: SettingsChange): Promise<void> {
    if (typeof settings === 'function' || !settings.webhookUrl) return;
    const known = await this.forms.get(scope, identifier);
    if (settings.webhookUrl !== known.webhookUrl) await this.checkNew(settings);
  }

  /** Checks the address that settings set for a form that does not have it yet. @throws PrivateAddress */
  async checkNew(
    { webhookUrl: url }: Partial<FormSettings>,
    field = 'form.webhook_url',
  ): Promise<void> {
    if (!url) return;
    if (await this.http.leadsInside(url)) throw new PrivateAddress(field, url);
  }
}
