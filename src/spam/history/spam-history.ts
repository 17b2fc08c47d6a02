import { Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import { DAY_MS, MINUTE_MS } from '../../platform/kernel/time/durations.js';
import { fingerprintOf, type Fingerprint } from './fingerprint.js';
import { RecentTexts } from './recent-texts.js';

/** How long texts and networks are remembered, in milliseconds. */
const TEXTS_MS = DAY_MS;
const NETWORKS_MS = 10 * MINUTE_MS;
/** Texts of an account, accounts, and networks that are remembered at most; the oldest go first. */
const TEXTS_MAX = 500;
const ACCOUNTS_MAX = 2_000;
const NETWORKS_MAX = 50_000;

/** Earlier submissions that resemble one. */
export interface Before {
  /** Texts that are nearly the same, over all forms of the account. */
  alike: number;
  /** Submissions from the same network to the forms of the account. */
  fromNetwork: number;
}

/** Remembers for a short time what this process took in. An address is kept only as a hash that ends with it. */
@Injectable()
export class SpamHistory {
  private readonly key = randomBytes(32).toString('base64');
  private readonly texts = new Map<number, RecentTexts>();
  private readonly networks = new Map<string, { count: number; until: number }>();

  /** Adds a submission, and returns what came before it. */
  add(accountId: number, network: string, fields: readonly { text: string }[], now: Date): Before {
    const at = now.getTime();
    return {
      alike: this.addText(accountId, fingerprintOf(fields), at),
      fromNetwork: network === '' ? 0 : this.addNetwork(`${accountId} ${network}`, at),
    };
  }

  /** Takes back what `add` did, for a submission that was not stored: its visitor sends it again. */
  takeBack(accountId: number, network: string, fields: readonly { text: string }[]): void {
    const fingerprint = fingerprintOf(fields);
    if (fingerprint !== null) this.texts.get(accountId)?.forget(fingerprint);
    const known = this.networks.get(this.keyOf(`${accountId} ${network}`));
    if (network !== '' && known && known.count > 0) known.count--;
  }

  /** Adds what a network asked for before it sends anything, and returns how often it did before. */
  addAsked(accountId: number, network: string, now: Date): number {
    return this.addNetwork(`asked ${accountId} ${network}`, now.getTime());
  }

  private addText(accountId: number, fingerprint: Fingerprint | null, at: number): number {
    if (fingerprint === null) return 0;
    const known = this.texts.get(accountId) ?? new RecentTexts(TEXTS_MAX);
    const alike = known.countAlike(fingerprint, at - TEXTS_MS);
    known.add(fingerprint, at);
    this.texts.delete(accountId); // those that were used last are at the end
    this.texts.set(accountId, known);
    forgetFirst(this.texts, ACCOUNTS_MAX);
    return alike;
  }

  private addNetwork(name: string, at: number): number {
    const key = this.keyOf(name);
    const known = this.networks.get(key);
    if (known && known.until > at) return known.count++;
    this.networks.delete(key);
    this.networks.set(key, { count: 1, until: at + NETWORKS_MS });
    forgetFirst(this.networks, NETWORKS_MAX);
    return 0;
  }

  private keyOf(name: string): string {
    return hash('sha256', `${this.key} ${name}`, 'base64');
  }
}

function forgetFirst<Key>(map: Map<Key, unknown>, max: number): void {
  if (map.size <= max) return;
  for (const first of map.keys()) {
    map.delete(first);
    return;
  }
}
