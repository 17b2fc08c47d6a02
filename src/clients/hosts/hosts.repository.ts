import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { HostTaken } from './host.errors.js';
import { ClientHost } from './client-host.entity.js';

/** Reads and writes the hosts of clients. */
@Injectable()
export class HostsRepository extends TransactionalRepository {
  private readonly hosts = this.rowsOf(ClientHost);

  find(accountId: number, clientId: number): Promise<ClientHost | null> {
    return this.hosts.findOneBy({ accountId, clientId });
  }

  /** Returns who has each of these hosts. */
  provenAmong(hosts: readonly string[]): Promise<ClientHost[]> {
    return this.hosts.findBy({ provenHost: In([...hosts]) });
  }

  /** Returns the proven hosts of these clients. */
  async provenOf(clientIds: readonly number[]): Promise<ClientHost[]> {
    const found = await this.hosts.findBy({ clientId: In([...clientIds]) });
    return found.filter(({ provenHost }) => provenHost !== null);
  }

  async replace(host: ClientHost) {
    await this.remove(host.clientId);
    await this.hosts.insert(host);
  }

  /** Keeps that a host is proven, unless it was changed or given up meanwhile. @throws HostTaken */
  async prove({ clientId, host, proof }: ClientHost, provenAt: Date) {
    try {
      const changes = { provenHost: host, provenAt };
      const { affected } = await this.hosts.update({ clientId, host, proof }, changes);
      return affected !== 0;
    } catch (error) {
      if (isDuplicate(error, 'uq_client_hosts_proven', 'client_hosts.proven_host')) {
        throw new HostTaken();
      }
      throw error;
    }
  }

  async remove(clientId: number) {
    await this.hosts.delete({ clientId });
  }
}
