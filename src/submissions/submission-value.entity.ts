import { createHash } from 'node:crypto';
import { Entity, PrimaryColumn } from 'typeorm';

const DIGEST_BYTES = 8;

/** Finds submissions by the value of a field. A hit is only a candidate: digests are short. */
@Entity('submission_values')
export class SubmissionValue {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @PrimaryColumn('binary', { name: 'digest', length: DIGEST_BYTES })
  digest: Buffer;

  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;

  /** What stands for a value of a field; the length keeps `a`,`bc` and `ab`,`c` apart. */
  static digestOf(name: string, text: string): Buffer {
    const hash = createHash('sha256').update(`${name.length}:${name}`).update(text).digest();
    return hash.subarray(0, DIGEST_BYTES);
  }
}
