import { Entity, PrimaryColumn } from 'typeorm';
import { UuidKey } from '../../platform/database/index.js';
import { DIGEST_BYTES } from '../../submissions/model/submitted-values.js';

/** Stores one entry of the value index. A match is only a candidate, since digests are short. */
@Entity('submission_values')
export class SubmissionValue {
  @PrimaryColumn('int') formId: number;
  @PrimaryColumn('binary', { length: DIGEST_BYTES }) digest: Buffer;
  @UuidKey() submissionId: Buffer;
}
