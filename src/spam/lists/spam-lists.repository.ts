import { Injectable } from '@nestjs/common';
import { In, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { SpamList } from './spam-list.entity.js';

/** Reads and writes the lists of forms. */
@Injectable()
export class SpamListsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): SpamListsRepository {
    return new SpamListsRepository({ manager: tx });
  }

  private get lists(): Repository<SpamList> {
    return this.source.manager.getRepository(SpamList);
  }

  find(formId: number): Promise<SpamList | null> {
    return this.lists.findOneBy({ formId });
  }

  /** Returns the digests of the lists of these forms, without the lists. */
  digestsOf(formIds: number[]): Promise<Pick<SpamList, 'formId' | 'digest'>[]> {
    return this.lists.find({
      select: { formId: true, digest: true },
      where: { formId: In(formIds) },
    });
  }

  /** Stores the lists of a form, whose row is locked by the transaction. */
  async save(list: SpamList): Promise<void> {
    await this.lists.save(list);
  }

  async remove(formId: number): Promise<void> {
    await this.lists.delete({ formId });
  }
}
