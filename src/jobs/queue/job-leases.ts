import { type Leased, LeasedWork } from '../../platform/background/leased-work.js';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { BulkJob } from './bulk-job.entity.js';
import type { BulkJobsRepository, JobKind } from './bulk-jobs.repository.js';

export type LeasedJob = Leased<BulkJob>;

/** Returns the work on all jobs of a kind. */
export function jobsOf(
  kind: JobKind,
  jobs: BulkJobsRepository,
  unitOfWork: UnitOfWork,
): LeasedWork<BulkJob> {
  return new LeasedWork(unitOfWork, {
    claimNext: (tx, token, seconds) => jobs.in(tx).claimNext(token, seconds, kind),
    renew: (tx, job, token, seconds) => jobs.in(tx).renew(job, token, seconds),
    release: (tx, job, token) => jobs.in(tx).release(job, token),
  });
}
