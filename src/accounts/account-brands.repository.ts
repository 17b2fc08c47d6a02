import { Injectable } from '@nestjs/common';
import type { EntityManager, Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { AccountBrand } from './account-brand.entity.js';

/** Reads and writes how accounts look. */
@Injectable()
export class AccountBrandsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): AccountBrandsRepository {
    return new AccountBrandsRepository({ manager: tx });
  }

  private get brands(): Repository<AccountBrand> {
    return this.source.manager.getRepository(AccountBrand);
  }

  /** Returns the brand without the bytes of its logo; an empty one where nothing was set. */
  async get(accountId: number): Promise<AccountBrand> {
    return (await this.brands.findOneBy({ accountId })) ?? AccountBrand.create(accountId);
  }

  /** Returns the logo of this digest, whose ever it is. */
  findLogo(logoDigest: Buffer): Promise<Pick<AccountBrand, 'logo' | 'logoType'> | null> {
    return this.brands.findOne({
      select: { accountId: true, logo: true, logoType: true },
      where: { logoDigest },
    });
  }

  async save(brand: AccountBrand): Promise<void> {
    await this.brands.save(brand);
  }
}
