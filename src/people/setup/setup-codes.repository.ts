import { Injectable } from '@nestjs/common';
import { isDuplicate, TransactionalRepository } from '../../platform/database/index.js';
import { SetupCode } from './setup-code.entity.js';

const ONLY_ID = 1;

/** Reads and writes the one setup code. */
@Injectable()
export class SetupCodesRepository extends TransactionalRepository {
  private readonly codes = this.rowsOf(SetupCode);

  /** Replaces the former code, if there is one. */
  async put(code: Omit<SetupCode, 'id'>) {
    const { affected } = await this.codes.update({ id: ONLY_ID }, code);
    if (affected === 1) return;
    try {
      await this.codes.insert({ ...code, id: ONLY_ID });
    } catch (error) {
      // Another instance that is starting was faster: the code that is stored last counts.
      if (!isDuplicate(error, 'PRIMARY', 'setup_codes.id')) throw error;
      await this.codes.update({ id: ONLY_ID }, code);
    }
  }

  findByDigest(digest: Buffer): Promise<SetupCode | null> {
    return this.codes.findOneBy({ id: ONLY_ID, digest });
  }

  /** Removes the code if it is still this one. Of two calls at once, one gets true. */
  async claim(digest: Buffer) {
    const { affected } = await this.codes.delete({ id: ONLY_ID, digest });
    return affected === 1;
  }
}
