import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { Config } from '../platform/config/config.js';
import { isHostAmong, parseHostName } from '../platform/config/own-hosts.js';
import { ReadCache } from '../platform/kernel/read-cache.js';
import type { ClientHost } from './model/client-host.entity.js';
import { HostsRepository } from './hosts.repository.js';

/** A client with a host of its own. */
export type HostHolder = Pick<ClientHost, 'accountId' | 'clientId'>;

/** Says under which addresses the service is reached: BASE_URL, and the hosts that clients have proven to have. */
@Injectable()
export class PublicAddresses {
  /** By host: the client that has it, or null. */
  private readonly clients = new ReadCache<{ client: HostHolder | null }>(async (hosts) => {
    const found = await this.hosts.provenAmong(hosts);
    const proven = new Map(found.map((holder) => [holder.provenHost, holder]));
    return new Map(hosts.map((host) => [host, { client: proven.get(host) ?? null }]));
  });
  /** By the id of the client: its host, or null. */
  private readonly ofClients = new ReadCache<{ host: string | null }>(async (ids) => {
    const proven = await this.hosts.provenOf(ids.map(Number));
    const hosts = new Map(proven.map(({ provenHost, clientId }) => [String(clientId), provenHost]));
    return new Map(ids.map((id) => [id, { host: hosts.get(id) ?? null }]));
  });
  private readonly own: URL;

  constructor(
    private readonly hosts: HostsRepository,
    private readonly config: Config,
  ) {
    this.own = new URL(config.baseUrl); // it has no slash at its end
  }

  /** Returns the address of the service for a client, without a trailing slash; BASE_URL for the account. */
  async ofClient(clientId: number | null): Promise<string> {
    if (clientId === null || this.isOff) return this.config.baseUrl;
    const host = (await this.ofClients.get(String(clientId)))?.host ?? null;
    return this.under(host !== null && this.isTaken(host) ? host : null);
  }

  /** Returns the address under which a request reached the service; BASE_URL unless a client has that host. */
  async ofRequest(request: Pick<IncomingMessage, 'headers'>): Promise<string> {
    return (await this.clientAt(request)) === null
      ? this.config.baseUrl
      : this.under(hostOf(request));
  }

  /** Tells whether a request came under BASE_URL, which passkeys and the OpenID Connect provider know. */
  async isOurs(request: Pick<IncomingMessage, 'headers'>): Promise<boolean> {
    return (await this.clientAt(request)) === null;
  }

  /** Returns the client under whose host a request came; null under any other. */
  async clientAt(request: Pick<IncomingMessage, 'headers'>): Promise<HostHolder | null> {
    return this.holderOf(hostOf(request) ?? '');
  }

  /** Returns the client that has a host; null for none. */
  async holderOf(host: string): Promise<HostHolder | null> {
    if (!this.isTaken(host) || host === this.own.hostname) return null;
    return (await this.clients.get(host))?.client ?? null;
  }

  /** Has changes be seen at once here; other instances see them within a second. */
  forget(): void {
    this.clients.clear();
    this.ofClients.clear();
  }

  private get isOff(): boolean {
    return this.config.http.hosts.length === 0;
  }

  /** Tells whether HOSTS still has a host; one that its operator took out serves no more. */
  private isTaken(host: string): boolean {
    return isHostAmong(host, this.config.http.hosts);
  }

  /** Returns an address like BASE_URL under another host. */
  private under(host: string | null): string {
    if (host === null) return this.config.baseUrl;
    const { protocol, port, pathname } = this.own;
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`;
  }
}

/** Returns the name in the Host header, without the port; null for what is none. */
function hostOf({ headers: { host } }: Pick<IncomingMessage, 'headers'>): string | null {
  return parseHostName(host?.replace(/:\d+$/, ''));
}
