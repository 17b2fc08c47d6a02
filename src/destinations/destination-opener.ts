import { Injectable } from '@nestjs/common';
import {
  GuardedHttpClient,
  PrivateAddress,
  SigningService,
  among,
  SealedTexts,
  SecretBox,
  SecretUnreadable,
  type SealedRow,
} from '../platform/index.js';
import type { Form } from '../forms/model/form.entity.js';
import { UnitOfWork } from '../platform/database/index.js';
import { DestinationsRepository, withFirst } from './destinations.repository.js';
import type { KindSettings } from './kinds/kind.js';
import type { KindName } from './kinds/kinds.js';
import { makeWebhookSecret } from './kinds/signatures.js';
import { type Role, addressesOf, changedSettings, hostOf, splitSettings } from './model/kind-settings.js';
import type { Destination } from './model/destination.entity.js';

/** A destination with all its settings, secrets among them. */
export interface OpenedDestination {
  destination: Destination;
  settings: KindSettings;
  /** Whether a key opens its secrets; without one it has only the settings that may be seen. */
  isReadable: boolean;
}

/** Checks what kinds of destinations need, seals the secrets among it, opens them, and watches over them. */
@Injectable()
export class DestinationOpener {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly http: GuardedHttpClient,
    private readonly secrets: SecretBox,
    private readonly signing: SigningService,
  ) {}

  /** Opens the secrets of a destination. */
  async open(destination: Destination): Promise<OpenedDestination> {
    const { sealed, settings: open, role, formId } = destination;
    try {
      const stored = sealed && (JSON.parse(await this.secrets.open(sealed)) as KindSettings);
      const settings = { ...open, ...stored };
      if (role === 'webhook') settings.secret ??= await this.firstSecretOf(formId ?? 0);
      return { destination, settings, isReadable: true };
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      return { destination, settings: open, isReadable: false };
    }
  }

  /** Returns the first secret of the webhook of a form, derived from the key of the service: to show it stores nothing. */
  private async firstSecretOf(formId: number) {
    const payload = Buffer.alloc(4);
    payload.writeInt32BE(formId);
    return makeWebhookSecret(await this.signing.derive('webhook', payload));
  }

  /** Applies settings to the old ones, and looks up where new addresses lead. @throws InvalidFields, PrivateAddress */
  async checked(
    of: { kind: KindName; role: Role | null },
    before: KindSettings,
    given: Readonly<Record<string, unknown>>,
    isNew: boolean,
  ): Promise<KindSettings> {
    const settings = changedSettings(of, before, given, isNew);
    for (const [name, url] of addressesOf(of.kind, settings)) {
      if (url === before[name] || !(await this.http.leadsInside(url))) continue;
      throw new PrivateAddress(`destination.settings.${name}`, url);
    }
    return settings;
  }

  /** Returns settings as they are stored, with the secrets sealed. */
  async seal(kind: KindName, settings: KindSettings): Promise<Pick<Destination, 'settings' | 'sealed' | 'host'>> {
    const { open, secret } = splitSettings(kind, settings);
    const hasSecrets = Object.keys(secret).length > 0;
    return {
      settings: open,
      sealed: hasSecrets ? await this.secrets.seal(JSON.stringify(secret)) : null,
      host: hostOf(kind, settings),
    };
  }

  /** Returns the destinations that no key opens, by the form that they serve. */
  async unreadableOf(forms: readonly Form[]): Promise<Map<number, Destination[]>> {
    const found = new Map<number, Destination[]>();
    const [first] = forms;
    const unreadable: Buffer[] = [];
    for (const { id, sealed } of first ? await this.destinations.sealed(first.accountId) : []) {
      if ((await this.secrets.standingOf(sealed)) === 'unreadable') unreadable.push(id);
    }
    if (unreadable.length === 0) return found;
    const isUnreadable = among(unreadable);
    for (const form of forms) {
      const all = withFirst(form, await this.destinations.rowsServing(form));
      const sealed = all.filter(({ id }) => isUnreadable(id));
      if (sealed.length > 0) found.set(form.id, sealed);
    }
    return found;
  }

  @SealedTexts()
  async sealedTexts(): Promise<SealedRow[]> {
    return (await this.destinations.sealed()).map(({ id, sealed }) => ({
      sealed,
      replace: (anew) => this.unitOfWork.run((tx) => this.destinations.in(tx).reseal(id, sealed, anew)),
    }));
  }
}
