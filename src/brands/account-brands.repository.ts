import { Injectable } from '@nestjs/common';
import { isDuplicate } from '../platform/database/database.errors.js';
import { TransactionalRepository } from '../platform/database/transactional-repository.js';
import { AccountBrand } from './model/account-brand.entity.js';

/** Reads and writes how accounts look. */
@Injectable()
export class AccountBrandsRepository extends TransactionalRepository {
  private readonly brands = this.rowsOf(AccountBrand);

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

  /** Changes what is given; the rest stays as it is by then. */
  async change(accountId: number, changes: Partial<AccountBrand>): Promise<void> {
    const change = () => this.brands.update({ accountId }, changes);
    if ((await change()).affected !== 0) return;
    try {
      await this.brands.insert(Object.assign(AccountBrand.create(accountId), changes));
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'account_brands.account_id')) throw error;
      await change();
    }
  }
}
