import { Injectable } from '@nestjs/common';
import { GuardedHttpClient, PrivateAddress } from '../platform/http-client/guarded-http-client.js';
import { InvalidFields } from '../platform/kernel/errors.js';
import { SecretBox, SecretUnreadable } from '../platform/secrets/secret-box.js';
import type { KindSettings } from './kinds/kind.js';
import type { KindName } from './kinds/kinds.js';
import type { Destination } from './model/destination.entity.js';
import { addressesOf, changedSettings, hostOf, splitSettings } from './model/kind-settings.js';

/** A destination with all its settings, secrets among them. */
export interface OpenedDestination {
  destination: Destination;
  settings: KindSettings;
  /** Whether a key opens its secrets; without one it has only the settings that may be seen. */
  isReadable: boolean;
}

/** Checks what kinds of destinations need, seals the secrets among it, and opens them. */
@Injectable()
export class DestinationOpener {
  constructor(
    private readonly http: GuardedHttpClient,
    private readonly secrets: SecretBox,
  ) {}

  /** Opens the secrets of a destination. */
  async open(destination: Destination): Promise<OpenedDestination> {
    const { sealed, settings } = destination;
    if (sealed === null) return { destination, settings, isReadable: true };
    try {
      const secret = JSON.parse(await this.secrets.open(sealed)) as KindSettings;
      return { destination, settings: { ...settings, ...secret }, isReadable: true };
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      return { destination, settings, isReadable: false };
    }
  }

  /** @throws InvalidFields, PrivateAddress */
  async checked(
    kind: KindName,
    before: KindSettings,
    given: Readonly<Record<string, unknown>>,
    isNew: boolean,
  ): Promise<KindSettings> {
    const settings = changedSettings(kind, before, given, isNew);
    if (Array.isArray(settings)) throw new InvalidFields(settings);
    for (const [name, url] of addressesOf(kind, settings)) {
      if (url === before[name] || !(await this.http.leadsInside(url))) continue;
      throw new PrivateAddress(`destination.settings.${name}`, url);
    }
    return settings;
  }

  /** Returns settings as they are stored, with the secrets sealed. */
  async seal(
    kind: KindName,
    settings: KindSettings,
  ): Promise<Pick<Destination, 'settings' | 'sealed' | 'host'>> {
    const { open, secret } = splitSettings(kind, settings);
    const hasSecrets = Object.keys(secret).length > 0;
    return {
      settings: open,
      sealed: hasSecrets ? await this.secrets.seal(JSON.stringify(secret)) : null,
      host: hostOf(kind, settings),
    };
  }
}
