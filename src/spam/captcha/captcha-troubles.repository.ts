import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { TransactionalRepository } from '../../platform/database/index.js';
import { CaptchaTrouble } from './captcha-trouble.entity.js';

@Injectable()
export class CaptchaTroublesRepository extends TransactionalRepository {
  private readonly troubles = this.rowsOf(CaptchaTrouble);

  /** Returns the troubles of these forms that were noted after a time. */
  async listSince(formIds: readonly number[], time: Date): Promise<CaptchaTrouble[]> {
    if (formIds.length === 0) return [];
    return this.troubles.findBy({ formId: In(formIds), lastAt: MoreThan(time) });
  }

  async save(trouble: CaptchaTrouble) {
    await this.troubles.save(trouble);
  }

  async remove(formId: number) {
    await this.troubles.delete({ formId });
  }
}
