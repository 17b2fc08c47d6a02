import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { isDuplicate, TransactionalRepository, forUpdate } from '../platform/database/index.js';
import { comparable } from '../platform/index.js';
import { Client } from './client.entity.js';
import { ClientEmailTaken, ClientNotFound } from './client.errors.js';

/** Reads and writes clients. */
@Injectable()
export class ClientsRepository extends TransactionalRepository {
  private readonly clients = this.rowsOf(Client);

  /** Returns the clients of an account, oldest first. */
  list(accountId: number): Promise<Client[]> {
    return this.clients.find({ where: { accountId }, order: { id: 'ASC' } });
  }

  /** Returns the first clients of an account after an id, oldest first. */
  listAfter(accountId: number, id: number, limit: number): Promise<Client[]> {
    // Without the hint, MySQL goes through the clients of all accounts.
    return this.clients
      .createQueryBuilder('client')
      .useIndex('ix_clients_account')
      .where({ accountId, id: MoreThan(id) })
      .orderBy('client.id')
      .limit(limit)
      .getMany();
  }

  /**
   * Returns clients whose names or addresses may have all of these words. Only letters and digits of ASCII are
   * compared, in any case; the rest is for the caller to compare.
   */
  named(accountId: number, words: readonly string[], limit: number): Promise<Client[]> {
    const query = this.clients.createQueryBuilder('client').useIndex('ix_clients_account').where({ accountId });
    for (const [at, part] of comparable(words).entries()) {
      query.andWhere(`(INSTR(LOWER(client.name), :part${at}) > 0 OR INSTR(LOWER(client.email), :part${at}) > 0)`, {
        [`part${at}`]: part,
      });
    }
    return query.orderBy('client.id').limit(limit).getMany();
  }

  /** Returns the clients of the account among these ids. */
  async among(accountId: number, ids: readonly number[]): Promise<Client[]> {
    if (ids.length === 0) return [];
    return this.clients.findBy({ accountId, id: In([...ids]) });
  }

  find(accountId: number, id: number): Promise<Client | null> {
    return this.clients.findOneBy({ accountId, id });
  }

  /** @throws ClientNotFound */
  async get(accountId: number, id: number): Promise<Client> {
    const client = await this.find(accountId, id);
    if (!client) throw new ClientNotFound();
    return client;
  }

  /**
   * Returns the client and locks its row until the transaction ends.
   * @throws ClientNotFound
   */
  async getForUpdate(accountId: number, id: number): Promise<Client> {
    const query = this.clients.createQueryBuilder('client').where({ accountId, id });
    const client = await forUpdate(query).getOne();
    if (!client) throw new ClientNotFound();
    return client;
  }

  /** @throws ClientEmailTaken */
  async save(client: Client): Promise<Client> {
    try {
      return await this.clients.save(client);
    } catch (error) {
      if (isDuplicate(error, 'uq_clients_email', 'clients.email_key')) throw new ClientEmailTaken();
      throw error;
    }
  }

  async remove({ accountId, id }: Client) {
    await this.clients.delete({ accountId, id });
  }
}
