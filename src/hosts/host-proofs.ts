import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import { Config } from '../platform/config/config.js';
import { GuardedHttpClient } from '../platform/http-client/guarded-http-client.js';
import type { ClientHost } from './model/client-host.entity.js';

/** Time for one answer, of the DNS or of a site, in milliseconds. */
const ANSWER_MS = 5_000;

/** Looks for the proofs that holders of hosts publish. */
@Injectable()
export class HostProofs {
  private readonly resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });

  constructor(
    private readonly client: GuardedHttpClient,
    { dnsServers }: Config,
  ) {
    if (dnsServers.length > 0) this.resolver.setServers(dnsServers);
  }

  /** Returns null when the proof is there, else a sentence about what is there instead. */
  async search(host: ClientHost): Promise<string | null> {
    const { name, value } = host.record;
    const records = await this.resolver.resolveTxt(name).catch(() => []);
    if (records.some((parts) => parts.join('').trim() === value)) return null;
    for (const url of host.fileUrls) {
      if ((await this.fileAt(url))?.trim() === value) return null;
    }
    return records.length === 0
      ? 'There is no such record.'
      : 'The record that is there has another text.';
  }

  /** Returns the text of a file; null where there is none that we may read. It follows no redirect. */
  private async fileAt(url: string): Promise<string | null> {
    try {
      const reply = await this.client.read(url, {}, AbortSignal.timeout(ANSWER_MS));
      return reply.status === 200 ? reply.body : null;
    } catch {
      return null; // not there is not proven
    }
  }
}
