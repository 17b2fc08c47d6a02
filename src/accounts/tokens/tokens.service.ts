import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { InvalidToken, ReadCache, hashSecretHex, isPlausibleSecret, mintSecret } from '../../platform/index.js';
import type { Actor, Principal, Scope } from '../access/index.js';
import { AuditService } from '../audit/audit.service.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { ExpiryPassed, RightsExceeded, TooManyTokens } from './token.errors.js';
import { Token, type TokenTerms } from './token.entity.js';
import { TokensRepository } from './tokens.repository.js';

/** Tokens of one client that have not expired: one for each of its programs, and room to replace them. */
const LIVE_TOKENS_OF_CLIENT = 100;

/** A token with its secret, which is known only now. */
export interface IssuedToken {
  token: Token;
  secret: string;
}

/** Issues, recognises and revokes tokens. */
@Injectable()
export class TokensService implements OnModuleDestroy {
  private readonly logger = new Logger(TokensService.name);
  /** By digest in hexadecimal. */
  private readonly cache: ReadCache<Token>;
  private readonly touching = new Map<number, Promise<void>>();

  constructor(
    private readonly tokens: TokensRepository,
    private readonly audit: AuditService,
    private readonly unitOfWork: UnitOfWork,
  ) {
    this.cache = new ReadCache(async (digests) => {
      const found = await this.tokens.findByDigests(digests.map((it) => Buffer.from(it, 'hex')));
      return new Map(found.map((token) => [token.digest.toString('hex'), token]));
    });
  }

  /**
   * Returns the token of this secret, or null when it is mistyped, unknown, revoked or expired. One that
   * another process revoked may be recognised for a second more.
   */
  async recognise(secret: string): Promise<Token | null> {
    if (!isPlausibleSecret(secret)) return null;
    return this.asUsed(await this.cache.get(hashSecretHex(secret)));
  }

  /** Does the same without waiting, when the token was recognised within the last second; else returns null. */
  recogniseAtOnce(secret: string): Token | null {
    return this.asUsed(this.cache.peek(hashSecretHex(secret)));
  }

  /** Returns a token by its id, for work that goes on without a request; null when it is gone or expired. */
  async findValid(id: number): Promise<Token | null> {
    const token = await this.tokens.find(id);
    return token && !token.isExpired(new Date()) ? token : null;
  }

  /** @throws TokenNotFound */
  get(scope: Scope, id: number): Promise<Token> {
    return this.tokens.get(scope, id);
  }

  list(scope: Scope): Promise<Token[]> {
    return this.tokens.listFor(scope);
  }

  /**
   * Issues a token for the account of `principal`. It stays when the issuing token is revoked (decision 0033).
   * @throws RightsExceeded, ExpiryExceeded when it would have more rights or a later end than its issuer
   * @throws ExpiryPassed
   * @throws TooManyTokens when the client has as many as it may have
   * @throws InvalidToken when the token of `principal` was revoked meanwhile
   */
  issueAs(principal: Principal, terms: TokenTerms): Promise<IssuedToken> {
    return this.unitOfWork.run((tx) => this.issueWithin(tx, principal, terms));
  }

  /**
   * Does the same within a transaction, also for a client of the account.
   * @throws RightsExceeded, ExpiryExceeded, ExpiryPassed, TooManyTokens, InvalidToken
   */
  async issueWithin(tx: EntityManager, principal: Principal, terms: TokenTerms): Promise<IssuedToken> {
    const { tokenId } = principal;
    if (tokenId === null) assertNoMore(principal, terms);
    else {
      // Without the lock a token that is being revoked could still issue one.
      const issuer = await this.tokens.in(tx).getForUpdate(tokenId);
      if (!issuer) throw new InvalidToken();
      issuer.assertMayIssue(terms);
    }
    return this.issue(tx, principal.actor, principal.accountId, terms);
  }

  /**
   * Issues a token within a transaction.
   * @param secret chosen by the operator; random when left out
   * @throws ExpiryPassed, TooManyTokens
   */
  async issue(
    tx: EntityManager,
    actor: Actor,
    accountId: number,
    terms: TokenTerms,
    secret = mintSecret(),
  ): Promise<IssuedToken> {
    const now = new Date();
    if (terms.expiresAt !== null && terms.expiresAt <= now) throw new ExpiryPassed();
    await this.assertFew(tx, accountId, terms.clientId, now);
    const token = await this.tokens.in(tx).save(Token.issue(accountId, terms, secret, now));
    const { clientId, expiresAt, name } = terms;
    await this.audit.record(tx, actor, {
      accountId,
      action: 'token.issued',
      target: { kind: 'token', id: token.id, name },
      details: {
        rights: terms.rights.join(',') || 'all',
        expires_at: expiresAt?.toISOString() ?? null,
        ...(clientId !== null && { client_id: clientId }),
      },
    });
    return { token, secret };
  }

  /** @throws TokenNotFound */
  async revoke(actor: Actor, scope: Scope, id: number) {
    await this.unitOfWork.run(async (tx) => {
      const { accountId, clientId, name } = await this.tokens.in(tx).get(scope, id);
      await this.tokens.in(tx).remove(scope, id);
      await this.audit.record(tx, actor, {
        accountId,
        action: 'token.revoked',
        target: { kind: 'token', id, name },
        details: { ...(clientId !== null && { client_id: clientId }) },
      });
    });
    this.cache.clear();
  }

  /**
   * Revokes all tokens of a client, within the transaction that removes the client. Copies in the cache open
   * nothing, since the client is looked up with each request.
   */
  revokeAllOf(tx: EntityManager, accountId: number, clientId: number) {
    return this.tokens.in(tx).removeFor(accountId, clientId);
  }

  async onModuleDestroy() {
    await Promise.all(this.touching.values());
  }

  private async assertFew(tx: EntityManager, accountId: number, clientId: number | null, now: Date) {
    if (clientId === null) return;
    const count = await this.tokens.in(tx).countLive(accountId, clientId, now);
    if (count >= LIVE_TOKENS_OF_CLIENT) throw new TooManyTokens(LIVE_TOKENS_OF_CLIENT);
  }

  /** Returns a token that is not expired, and notes its use. */
  private asUsed(token: Token | null) {
    const now = new Date();
    if (!token || token.isExpired(now)) return null;
    if (token.usedLongAgo(now)) this.touch(token, now);
    return token;
  }

  /** Stores the use in the background: no request waits for it or fails with it. */
  private touch(token: Token, now: Date) {
    if (this.touching.has(token.id)) return;
    token.lastUsedAt = now; // in the cached copy, or each request would write it again
    const done = this.unitOfWork
      .run((tx) => this.tokens.in(tx).touch(token.id, now))
      .catch((error: unknown) => {
        this.logger.warn('The last use of a token was not stored', { error });
      })
      .finally(() => this.touching.delete(token.id));
    this.touching.set(token.id, done);
  }
}

/** @throws RightsExceeded when a person would issue a token with rights that they lack */
function assertNoMore(principal: Principal, terms: TokenTerms) {
  const { rights, clientId } = terms;
  const lacking = Token.rightsOf(rights, clientId).filter((right) => !principal.has(right));
  if (lacking.length > 0) throw new RightsExceeded(lacking);
}
