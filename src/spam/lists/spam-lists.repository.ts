import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { Form } from '../../forms/model/form.entity.js';
import { TransactionalRepository } from '../../platform/database/index.js';
import { SpamList } from './spam-list.entity.js';

/** Reads and writes the lists of forms. */
@Injectable()
export class SpamListsRepository extends TransactionalRepository {
  private readonly lists = this.rowsOf(SpamList);
  private readonly forms = this.rowsOf(Form);

  find(formId: number): Promise<SpamList | null> {
    return this.lists.findOneBy({ formId });
  }

  /** Returns the digests of the lists of these forms, without the lists. */
  digestsOf(formIds: number[]): Promise<Pick<SpamList, 'formId' | 'digest'>[]> {
    return this.lists.find({ select: { formId: true, digest: true }, where: { formId: In(formIds) } });
  }

  /** Returns the account of a form's lists with them; null when it has none. */
  async findWithAccount(formId: number): Promise<{ list: SpamList; accountId: number } | null> {
    const list = await this.find(formId);
    const form = list && (await this.forms.findOne({ select: { accountId: true }, where: { id: formId } }));
    return list && form && { list, accountId: form.accountId };
  }

  /** Returns how many bytes the lists of all forms of an account have. */
  async bytesOf(accountId: number) {
    const found = await this.lists
      .createQueryBuilder('list')
      .innerJoin(Form, 'form', 'form.id = list.formId')
      .select('SUM(OCTET_LENGTH(list.blocked) + OCTET_LENGTH(list.allowed))', 'bytes')
      .where('form.accountId = :accountId', { accountId })
      .getRawOne<{ bytes: number | string | null }>();
    return Number(found?.bytes ?? 0);
  }

  /** Stores the lists of a form, whose row is locked by the transaction. */
  async save(list: SpamList) {
    await this.lists.save(list);
  }
}
