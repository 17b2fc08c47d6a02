import { Entity, PrimaryColumn } from 'typeorm';
import { DIGEST_BYTES } from '../../submissions/model/value-digests.js';

/** Stores one entry of the value index. A match is only a candidate, since digests are short. */
@Entity('submission_values')
export class SubmissionValue {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @PrimaryColumn('binary', { name: 'digest', length: DIGEST_BYTES })
  digest: Buffer;

  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;
}
