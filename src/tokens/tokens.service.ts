import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { InvalidToken } from '../platform/kernel/credentials.errors.js';
import type { Principal, Scope } from '../access/principal.js';
import { SingleFlight } from '../platform/kernel/single-flight.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { hashSecret, isPlausibleSecret, mintSecret } from '../platform/kernel/token-secret.js';
import { ExpiryPassed, RightsExceeded } from './token.errors.js';
import { Token, type TokenTerms } from './token.entity.js';
import { TokensRepository } from './tokens.repository.js';

/** A token together with its secret: the only time the secret is known. */
export interface IssuedToken {
  token: Token;
  secret: string;
}

/** Issues, recognises and revokes tokens. */
@Injectable()
export class TokensService implements OnModuleDestroy {
  private readonly logger = new Logger(TokensService.name);
  private readonly lookUps = new SingleFlight<Token | null>();
  private readonly touching = new Map<number, Promise<void>>();

  constructor(
    private readonly tokens: TokensRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** The token of this secret, or null when it is mistyped, unknown, revoked or expired. */
  async recognise(secret: string): Promise<Token | null> {
    if (!isPlausibleSecret(secret)) return null;
    const digest = hashSecret(secret);
    const token = await this.lookUps.run(digest.toString('latin1'), () =>
      this.tokens.findByDigest(digest),
    );
    const now = new Date();
    if (!token || token.isExpired(now)) return null;
    if (token.usedLongAgo(now)) this.touch(token, now);
    return token;
  }

  /** @throws TokenNotFound */
  get(scope: Scope, id: number): Promise<Token> {
    return this.tokens.get(scope, id);
  }

  list(scope: Scope): Promise<Token[]> {
    return this.tokens.listFor(scope);
  }

  /**
   * Issues a token for the account of `principal`.
   * @throws RightsExceeded, ExpiryExceeded when it would be allowed more than the one who issues it
   * @throws ExpiryPassed
   * @throws InvalidToken when the token of `principal` was revoked meanwhile
   */
  issueAs(principal: Principal, terms: TokenTerms): Promise<IssuedToken> {
    return this.unitOfWork.run((tx) => this.issueWithin(tx, principal, terms));
  }

  /** The same within a transaction, also for a client of the account. */
  async issueWithin(
    tx: EntityManager,
    principal: Principal,
    terms: TokenTerms,
  ): Promise<IssuedToken> {
    const { tokenId } = principal;
    if (tokenId === null) assertNoMore(principal, terms);
    else {
      // Held, or one that is being revoked, as with its client, would leave its new token behind.
      const issuer = await this.tokens.in(tx).getForUpdate(tokenId);
      if (!issuer) throw new InvalidToken();
      issuer.assertMayIssue(terms);
    }
    return this.issue(tx, principal.accountId, terms);
  }

  /**
   * Issues a token within a transaction.
   * @param secret chosen by the operator; random when left out
   * @throws ExpiryPassed
   */
  async issue(
    tx: EntityManager,
    accountId: number,
    terms: TokenTerms,
    secret = mintSecret(),
  ): Promise<IssuedToken> {
    const now = new Date();
    if (terms.expiresAt !== null && terms.expiresAt <= now) throw new ExpiryPassed();
    const token = await this.tokens.in(tx).save(Token.issue(accountId, terms, secret, now));
    return { token, secret };
  }

  /** @throws TokenNotFound */
  revoke(scope: Scope, id: number): Promise<void> {
    return this.unitOfWork.run((tx) => this.tokens.in(tx).remove(scope, id));
  }

  /** Revokes all tokens of a client, within a transaction. */
  revokeAllOf(tx: EntityManager, accountId: number, clientId: number): Promise<void> {
    return this.tokens.in(tx).removeFor(accountId, clientId);
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.touching.values());
  }

  /** Beside the request: nobody waits for it, and nobody is refused when it fails. */
  private touch(token: Token, now: Date): void {
    if (this.touching.has(token.id)) return;
    const done = this.unitOfWork
      .run((tx) => this.tokens.in(tx).touch(token.id, now))
      .catch((error: unknown) => {
        this.logger.warn('The last use of a token was not noted', { error });
      })
      .finally(() => this.touching.delete(token.id));
    this.touching.set(token.id, done);
  }
}

/** @throws RightsExceeded when a person would hand out more than their role allows */
function assertNoMore(principal: Principal, terms: TokenTerms): void {
  const lacking = Token.rightsOf(terms.rights).filter((right) => !principal.has(right));
  if (lacking.length > 0) throw new RightsExceeded(lacking);
}
