import { Injectable } from '@nestjs/common';
import { In, IsNull, MoreThan } from 'typeorm';
import type { Scope } from '../access/index.js';
import { isDuplicate, TransactionalRepository, forUpdate } from '../../platform/database/index.js';
import { SecretTaken, TokenNotFound } from './token.errors.js';
import { Token } from './token.entity.js';

/** Reads and writes tokens. `in(tx)` binds the same queries to a transaction. */
@Injectable()
export class TokensRepository extends TransactionalRepository {
  private readonly tokens = this.rowsOf(Token);

  /** Returns the tokens that exist among these hashes of secrets, in any account. */
  findByDigests(digests: Buffer[]): Promise<Token[]> {
    return this.tokens.findBy({ digest: In(digests) });
  }

  /** @throws TokenNotFound */
  async get(scope: Scope, id: number): Promise<Token> {
    const token = await this.tokens.findOneBy({ ...whereVisible(scope), id });
    if (!token) throw new TokenNotFound();
    return token;
  }

  find(id: number): Promise<Token | null> {
    return this.tokens.findOneBy({ id });
  }

  /** Returns the token and locks its row until the transaction ends; null when it is gone. */
  getForUpdate(id: number): Promise<Token | null> {
    return forUpdate(this.tokens.createQueryBuilder('token').where({ id })).getOne();
  }

  /** Returns all tokens of the account, or of one client, oldest first. */
  listFor(scope: Scope): Promise<Token[]> {
    return this.tokens.find({ where: whereVisible(scope), order: { id: 'ASC' } });
  }

  /** Counts the tokens of a client that have not expired. */
  countLive(accountId: number, clientId: number, now: Date) {
    const ofClient = { accountId, clientId };
    return this.tokens.count({
      where: [
        { ...ofClient, expiresAt: IsNull() },
        { ...ofClient, expiresAt: MoreThan(now) },
      ],
    });
  }

  /** @throws SecretTaken */
  async save(token: Token): Promise<Token> {
    try {
      return await this.tokens.save(token);
    } catch (error) {
      if (isDuplicate(error, 'uq_tokens_digest', 'tokens.digest')) throw new SecretTaken();
      throw error;
    }
  }

  /** @throws TokenNotFound */
  async remove(scope: Scope, id: number) {
    const { affected } = await this.tokens.delete({ ...whereVisible(scope), id });
    if (affected === 0) throw new TokenNotFound();
  }

  async removeFor(accountId: number, clientId: number) {
    await this.tokens.delete({ accountId, clientId });
  }

  async touch(id: number, lastUsedAt: Date) {
    await this.tokens.update({ id }, { lastUsedAt });
  }
}

function whereVisible({ accountId, clientId }: Scope) {
  return clientId === null ? { accountId } : { accountId, clientId };
}
