import { Entity, PrimaryColumn } from 'typeorm';
import { DIGEST_BYTES } from './value-digests.js';

/** Finds submissions by the value of a field. A hit is only a candidate: digests are short. */
@Entity('submission_values')
export class SubmissionValue {
  @PrimaryColumn('int', { name: 'form_id' })
  formId: number;

  @PrimaryColumn('binary', { name: 'digest', length: DIGEST_BYTES })
  digest: Buffer;

  @PrimaryColumn('binary', { name: 'submission_id', length: 16 })
  submissionId: Buffer;
}
