import { Injectable } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import { DestinationSecrets } from '../destinations/destination-secrets.js';
import type { Form } from '../forms/model/form.entity.js';
import { SecretBox } from '../platform/secrets/secret-box.js';

/** Finds what forms send through whose secrets no key opens. */
@Injectable()
export class UnreadableSecrets {
  constructor(
    private readonly destinations: DestinationSecrets,
    private readonly brands: BrandsService,
    private readonly box: SecretBox,
  ) {}

  /** Names the destinations and the mail server of forms, which are of one account, by the form. */
  async of(forms: readonly Form[]): Promise<Map<number, string[]>> {
    const destinations = await this.destinations.unreadableOf(forms);
    const found = new Map<number, string[]>();
    // What is asked for together is read by one query.
    const brands = await Promise.all(forms.map((form) => this.brands.ofForm(form)));
    for (const [at, form] of forms.entries()) {
      const names = (destinations.get(form.id) ?? []).map((name) => `the destination "${name}"`);
      const server = brands[at]?.sender?.server;
      if (server && (await this.box.standingOf(server.sealed)) === 'unreadable')
        names.push(`the mail server ${server.host}`);
      if (names.length > 0) found.set(form.id, names);
    }
    return found;
  }
}
