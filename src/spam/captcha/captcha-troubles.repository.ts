import { Injectable } from '@nestjs/common';
import type { EntityManager, Repository } from 'typeorm';
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

  find(formId: number): Promise<CaptchaTrouble | null> {
    return this.troubles.findOneBy({ formId });
  }

  async save(trouble: CaptchaTrouble): Promise<void> {
    await this.troubles.save(trouble);
  }

  async remove(formId: number): Promise<void> {
    await this.troubles.delete({ formId });
  }
}
