import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal, Scope } from '../access/principal.js';
import { ClientsService } from '../clients/clients.service.js';
import { Config } from '../platform/config/config.js';
import { isHostAmong } from '../platform/config/own-hosts.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { HostProofs } from './host-proofs.js';
import {
  hostIsOurs,
  hostNotAllowed,
  HostNotFound,
  HostNotProven,
  HostTaken,
} from './host.errors.js';
import { HostsRepository } from './hosts.repository.js';
import { ClientHost } from './model/client-host.entity.js';
import { PublicAddresses } from './public-addresses.js';

/** Gives clients hosts of their own, once their holders have proven to have them. */
@Injectable()
export class HostsService implements OnModuleInit {
  constructor(
    private readonly hosts: HostsRepository,
    private readonly clients: ClientsService,
    private readonly proofs: HostProofs,
    private readonly addresses: PublicAddresses,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.clients.onDeleted(async (tx, { id }) => {
      await this.hosts.in(tx).remove(id);
    });
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
    const missing = await this.proofs.search(host);
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
  async release(principal: Principal, clientId: number): Promise<void> {
    await this.show(principal, clientId);
    await this.unitOfWork.run(async (tx) => {
      await this.clients.recordChange(tx, principal, clientId, { settings: 'host', host: '' });
      await this.hosts.in(tx).remove(clientId);
    });
    this.addresses.forget();
  }
}
