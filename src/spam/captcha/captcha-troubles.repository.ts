import { Injectable } from '@nestjs/common';
import { In, MoreThan, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../../platform/database/read-manager.js';
import { CaptchaTrouble } from './captcha-trouble.entity.js';

@Injectable()
export class CaptchaTroublesRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): CaptchaTroublesRepository {
    return new CaptchaTroublesRepository({ manager: tx });
  }

  private get troubles(): Repository<CaptchaTrouble> {
    return this.source.manager.getRepository(CaptchaTrouble);
  }

  /** Returns the troubles of these forms that were noted after a time. */
  async listSince(formIds: readonly number[], time: Date): Promise<CaptchaTrouble[]> {
    if (formIds.length === 0) return [];
    return this.troubles.findBy({ formId: In(formIds), lastAt: MoreThan(time) });
  }

  async save(trouble: CaptchaTrouble): Promise<void> {
    await this.troubles.save(trouble);
  }

  async remove(formId: number): Promise<void> {
    await this.troubles.delete({ formId });
  }
}
