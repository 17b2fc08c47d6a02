import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { ReadCache } from '../platform/kernel/read-cache.js';
import { NotFoundError } from '../platform/kernel/errors.js';
import { SigningService } from '../platform/signed-links/signing.service.js';
import type { BrandDetails } from './account-brand.entity.js';
import { AccountBrandsRepository } from './account-brands.repository.js';
import { LogoNotFound } from './account.errors.js';
import { AccountsService, assertOwns } from './accounts.service.js';
import { readLogo } from './logo.js';

/** Purpose of the signed keys in sign-in addresses. */
const SIGN_IN = 'sign-in brand';
/** Far beyond any use, so that the key of an account is always the same: it only shows what clients see. */
const NEVER = new Date('2100-01-01T00:00:00Z');
const ID_BYTES = 4;

/** How an account looks to its clients and to visitors. */
export interface Brand extends BrandDetails {
  /** Null while the account has no name of its own. */
  name: string | null;
  /** Path of the logo, such as `/files/logos/…`; null without one. */
  logoPath: string | null;
}

/** Absent stays, null clears. */
export type BrandChanges = Partial<BrandDetails> & { logo?: Buffer | null };

/** Keeps names, logos and colours of accounts. */
@Injectable()
export class BrandsService {
  /** By the id of the account. */
  private readonly cache = new ReadCache<Brand>(async (ids) => {
    const read = async (id: string) => [id, await this.of(Number(id))] as const;
    return new Map(await Promise.all(ids.map(read)));
  });

  constructor(
    private readonly brands: AccountBrandsRepository,
    private readonly accounts: AccountsService,
    private readonly audit: AuditService,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** @throws AccountNotFound */
  async of(accountId: number): Promise<Brand> {
    const name = await this.accounts.nameOf(accountId);
    const { colour, replyTo, logoDigest } = await this.brands.get(accountId);
    return { name, colour, replyTo, logoPath: logoDigest && pathOf(logoDigest) };
  }

  /**
   * Returns the same for the pages of visitors. A new name of the account is seen within a second, and what is changed
   * here at once.
   * @throws AccountNotFound
   */
  async ofCached(accountId: number): Promise<Readonly<Brand>> {
    return (await this.cache.get(String(accountId))) ?? this.of(accountId);
  }

  /** Returns the path of the sign-in page that looks like the account. Nobody can guess that of another. */
  async signInPath(accountId: number): Promise<string> {
    const payload = Buffer.alloc(ID_BYTES);
    payload.writeUInt32BE(accountId);
    return `/sign-in?at=${await this.signing.sign(SIGN_IN, payload, NEVER)}`;
  }

  /** Returns how the account looks whose sign-in path has this key; null for none. */
  async findBySignInKey(key: string): Promise<Brand | null> {
    const payload = await this.signing.verify(SIGN_IN, key, new Date());
    if (payload?.length !== ID_BYTES) return null;
    try {
      return await this.of(payload.readUInt32BE());
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  /**
   * Changes how the account of `principal` looks.
   * @param field path of the logo in the caller's input, for the error
   * @throws AccountChangeForbidden, LogoRefused
   */
  async change(principal: Principal, changes: BrandChanges, field: string): Promise<Brand> {
    assertOwns(principal);
    const { logo, ...details } = changes;
    const settings = Object.keys(changes).join(',');
    const { accountId } = principal;
    const picture = logo ? readLogo(logo, field) : { logo: null, logoType: null, logoDigest: null };
    if (settings !== '') {
      await this.unitOfWork.run(async (tx) => {
        const changed = { ...details, ...(logo !== undefined && picture) };
        await this.brands.in(tx).change(accountId, changed);
        await this.audit.recordBy(tx, principal, {
          action: 'account.changed',
          target: { kind: 'account', id: accountId, name: null },
          details: { settings },
        });
      });
      this.cache.forget(String(accountId));
    }
    return this.of(accountId);
  }

  /**
   * Returns a logo by the digest in its address.
   * @throws LogoNotFound
   */
  async logo(digest: string): Promise<{ type: string; bytes: Buffer }> {
    const known = /^[0-9a-f]{64}$/.test(digest)
      ? await this.brands.findLogo(Buffer.from(digest, 'hex'))
      : null;
    if (!known?.logo || known.logoType === null) throw new LogoNotFound();
    return { type: known.logoType, bytes: known.logo };
  }
}

function pathOf(digest: Buffer): string {
  return `/files/logos/${digest.toString('hex')}`;
}
