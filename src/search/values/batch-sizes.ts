import { DIGEST_BYTES } from '../../submissions/model/value-digests.js';
import type { SubmissionBatch } from '../../submissions/storage/submission-batch.entity.js';

/** Returns as many batches as one transaction indexes: at least one, and alone if it has no digests. */
export function firstOf(batches: SubmissionBatch[], valuesMax: number): SubmissionBatch[] {
  let values = 0;
  const end = batches.findIndex((batch, index) => {
    values += valuesOf(batch);
    return index > 0 && (batch.digests === null || values > valuesMax);
  });
  if (batches[0]?.digests === null) return batches.slice(0, 1);
  return batches.slice(0, end < 0 ? undefined : end);
}

/** Counts the values of a batch, and a half for each submission. */
export function valuesOf({ digests }: SubmissionBatch): number {
  return (digests?.length ?? 0) / DIGEST_BYTES;
}

export function sumOfValues(batches: readonly SubmissionBatch[]): number {
  return batches.reduce((sum, batch) => sum + valuesOf(batch), 0);
}
