import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { RecoveryCode } from './recovery-code.entity.js';

/** Reads and writes recovery codes. */
@Injectable()
export class RecoveryCodesRepository extends TransactionalRepository {
  private readonly codes = this.rowsOf(RecoveryCode);

  countOf(personId: number): Promise<number> {
    return this.codes.countBy({ personId });
  }

  /** Replaces all codes of the person. */
  async replace(personId: number, digests: Buffer[]): Promise<void> {
    await this.codes.delete({ personId });
    if (digests.length > 0)
      await this.codes.insert(digests.map((digest) => ({ digest, personId })));
  }

  /** Removes the code. Of two calls at once, one gets true. */
  async claim(personId: number, digest: Buffer): Promise<boolean> {
    const { affected } = await this.codes.delete({ personId, digest });
    return affected === 1;
  }
}
