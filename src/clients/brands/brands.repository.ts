import { Injectable } from '@nestjs/common';
import { In, IsNull, Not } from 'typeorm';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { AccountBrand, ClientBrand } from './model/brand.entity.js';

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
    return this.brands.findOne({ select: { accountId: true, logo: true, logoType: true }, where: { logoDigest } });
  }

  /** Changes what is given; the rest stays as it is by then. */
  async change(accountId: number, changes: Partial<AccountBrand>) {
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

/** Reads and writes how clients look and who sends their mails. */
@Injectable()
export class ClientBrandsRepository extends TransactionalRepository {
  private readonly brands = this.rowsOf(ClientBrand);

  /** Returns the brand without the bytes of its logo; an empty one where nothing was set. */
  async get(clientId: number): Promise<ClientBrand> {
    return (await this.brands.findOneBy({ clientId })) ?? ClientBrand.create(clientId);
  }

  /** Returns the same of each of these clients. */
  async ofThese(clientIds: readonly number[]): Promise<ClientBrand[]> {
    const found = await this.brands.findBy({ clientId: In([...clientIds]) });
    const known = new Map(found.map((brand) => [brand.clientId, brand]));
    return clientIds.map((id) => known.get(id) ?? ClientBrand.create(id));
  }

  /** Returns the logo of this digest, whose ever it is. */
  findLogo(logoDigest: Buffer): Promise<Pick<ClientBrand, 'logo' | 'logoType'> | null> {
    return this.brands.findOne({ select: { clientId: true, logo: true, logoType: true }, where: { logoDigest } });
  }

  /** Changes what is given; the rest stays as it is by then. */
  async change(clientId: number, changes: Partial<ClientBrand>) {
    const change = () => this.brands.update({ clientId }, changes);
    if ((await change()).affected !== 0) return;
    try {
      await this.brands.insert(Object.assign(ClientBrand.create(clientId), changes));
    } catch (error) {
      if (!isDuplicate(error, 'PRIMARY', 'client_brands.client_id')) throw error;
      await change();
    }
  }

  /** Returns the sealed addresses of all mail servers. */
  async sealed(): Promise<{ clientId: number; sealed: string }[]> {
    const found = await this.brands.find({
      select: { clientId: true, smtpSealed: true },
      where: { smtpSealed: Not(IsNull()) },
    });
    return found.map(({ clientId, smtpSealed }) => ({ clientId, sealed: smtpSealed ?? '' }));
  }

  /** Stores the same address under another seal. */
  async reseal(clientId: number, before: string, smtpSealed: string) {
    await this.brands.update({ clientId, smtpSealed: before }, { smtpSealed });
  }

  async remove(clientId: number) {
    await this.brands.delete({ clientId });
  }
}
