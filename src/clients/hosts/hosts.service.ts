import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { Resolver } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import { ClientDeleted, type ClientKey, ClientsService } from '../clients.service.js';
import { Config, GuardedHttpClient, isHostAmong, parseHostName, ReadCache } from '../../platform/index.js';
import { ClientHost } from './client-host.entity.js';
import { HostsRepository } from './hosts.repository.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { hostIsOurs, hostNotAllowed, HostNotFound, HostNotProven, HostTaken } from './host.errors.js';

/** Time for one answer, of the DNS or of a site, in milliseconds. */
const ANSWER_MS = 5_000;

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
  async ofClient(clientId: number | null) {
    if (clientId === null || this.isOff) return this.config.baseUrl;
    const host = (await this.ofClients.get(String(clientId)))?.host ?? null;
    return this.under(host !== null && this.isTaken(host) ? host : null);
  }

  /** Returns the address under which a request reached the service; BASE_URL unless a client has that host. */
  async ofRequest(request: Pick<IncomingMessage, 'headers'>) {
    return (await this.clientAt(request)) === null ? this.config.baseUrl : this.under(hostOf(request));
  }

  /** Tells whether a request came under BASE_URL, which passkeys and the OpenID Connect provider know. */
  async isOurs(request: Pick<IncomingMessage, 'headers'>) {
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
  forget() {
    this.clients.clear();
    this.ofClients.clear();
  }

  private get isOff() {
    return this.config.http.hosts.length === 0;
  }

  /** Tells whether HOSTS still has a host; one that its operator took out serves no more. */
  private isTaken(host: string) {
    return isHostAmong(host, this.config.http.hosts);
  }

  /** Returns an address like BASE_URL under another host. */
  private under(host: string | null) {
    if (host === null) return this.config.baseUrl;
    const { protocol, port, pathname } = this.own;
    return `${protocol}//${host}${port === '' ? '' : `:${port}`}${pathname === '/' ? '' : pathname}`;
  }
}

/** Returns the name in the Host header, without the port; null for what is none. */
function hostOf({ headers: { host } }: Pick<IncomingMessage, 'headers'>) {
  return parseHostName(host?.replace(/:\d+$/, ''));
}

/** Gives clients hosts of their own, once their holders have proven to have them. */
@Injectable()
export class HostsService {
  private readonly resolver = new Resolver({ timeout: ANSWER_MS, tries: 1 });

  constructor(
    private readonly hosts: HostsRepository,
    private readonly clients: ClientsService,
    private readonly addresses: PublicAddresses,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
    private readonly client: GuardedHttpClient,
  ) {
    const { dnsServers } = config;
    if (dnsServers.length > 0) this.resolver.setServers(dnsServers);
  }

  @ClientDeleted()
  async removeOf(tx: EntityManager, { id }: ClientKey): Promise<void> {
    await this.hosts.in(tx).remove(id);
  }

  /** @throws ClientNotFound, HostNotFound */
  async show(scope: Scope, clientId: number): Promise<ClientHost> {
    const host = await this.find(scope, clientId);
    if (!host) throw new HostNotFound();
    return host;
  }

  /** Returns the host of a client; null when it has none. @throws ClientNotFound */
  async find(scope: Scope, clientId: number): Promise<ClientHost | null> {
    await this.clients.assertHas(scope, clientId);
    return this.hosts.find(scope.accountId, clientId);
  }

  /**
   * Asks for a host; it serves the client once it is proven, and the one that the client has until then. That one stays
   * as it is, proof and all, when it is asked for again.
   * @throws ClientNotFound, HostTaken, InvalidFields for one that the operator does not allow
   */
  async claim(principal: Principal, clientId: number, name: string): Promise<ClientHost> {
    const before = await this.find(principal, clientId);
    if (before?.host === name) return before;
    if (name === new URL(this.config.baseUrl).hostname) throw hostIsOurs();
    if (!isHostAmong(name, this.config.http.hosts)) throw hostNotAllowed();
    const [holder] = await this.hosts.provenAmong([name]);
    if (holder && holder.clientId !== clientId) throw new HostTaken();
    const host = ClientHost.claim(principal.accountId, clientId, name, before);
    await this.unitOfWork.run(async (tx) => {
      await this.clients.recordChange(tx, principal, clientId, { settings: 'host', host: name });
      await this.hosts.in(tx).replace(host);
    });
    this.addresses.forget();
    return host;
  }

  /**
   * Looks for the proof of a host, and has it serve the client when it is there.
   * @throws ClientNotFound, HostNotFound, HostNotProven, HostTaken
   */
  async prove(principal: Principal, clientId: number): Promise<ClientHost> {
    const host = await this.show(principal, clientId);
    if (host.isProven) return host;
    const missing = await this.search(host);
    if (missing !== null) throw new HostNotProven(host, missing);
    await this.unitOfWork.run(async (tx) => {
      const details = { settings: 'host', host: host.host, proven: 'true' };
      await this.clients.recordChange(tx, principal, clientId, details);
      if (!(await this.hosts.in(tx).prove(host, this.unitOfWork.now()))) throw new HostNotFound();
    });
    this.addresses.forget();
    return this.show(principal, clientId);
  }

  /** Gives a host up: it answers like any other from then on. @throws ClientNotFound, HostNotFound */
  async release(principal: Principal, clientId: number) {
    await this.show(principal, clientId);
    await this.unitOfWork.run(async (tx) => {
      await this.clients.recordChange(tx, principal, clientId, { settings: 'host', host: '' });
      await this.hosts.in(tx).remove(clientId);
    });
    this.addresses.forget();
  }

  /** Returns null when the proof is there, else a sentence about what is there instead. */
  async search(host: ClientHost): Promise<string | null> {
    const { name, value } = host.record;
    const records = await this.resolver.resolveTxt(name).catch(() => []);
    if (records.some((parts) => parts.join('').trim() === value)) return null;
    for (const url of host.fileUrls) {
      if ((await this.fileAt(url))?.trim() === value) return null;
    }
    return records.length === 0 ? 'There is no such record.' : 'The record that is there has another text.';
  }

  /** Returns the text of a file; null where there is none that we may read. It follows no redirect. */
  private async fileAt(url: string) {
    try {
      const reply = await this.client.read(url, {}, AbortSignal.timeout(ANSWER_MS));
      return reply.status === 200 ? reply.body : null;
    } catch {
      return null; // not there is not proven
    }
  }
}
