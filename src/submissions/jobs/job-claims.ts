import { randomBytes } from 'node:crypto';
import type { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { BulkJob } from './bulk-job.entity.js';
import type { BulkJobsRepository, JobKind } from './bulk-jobs.repository.js';

/** Life of a lease in seconds; it is renewed halfway, so only a dead worker's ends. */
const LEASE_SECONDS = 5;

/** A job that a worker has for itself. */
export interface Claim {
  job: BulkJob;
  /** What it is held by; nothing of the job is stored without it. */
  token: Buffer;
  /** Aborted once work is to end: the lease was lost, or the process stops. */
  unwanted: AbortSignal;
  /** How many were gone through so far, told with each renewal; null when the work tells it by itself. */
  done: number | null;
}

/** Where jobs are, and how they are written. */
interface Jobs {
  jobs: BulkJobsRepository;
  unitOfWork: UnitOfWork;
}

/**
 * Claims one job of a kind after the other with a lease, has each worked on while the lease is renewed, and gives it
 * back, until none is free.
 * @param signal stops it between two, and says so to the turn
 */
export async function eachClaimed(
  { jobs, unitOfWork }: Jobs,
  kind: JobKind,
  turn: (claim: Claim) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  while (!signal?.aborted) {
    const token = randomBytes(16);
    const job = await unitOfWork.run((tx) => jobs.in(tx).claimNext(token, LEASE_SECONDS, kind));
    if (!job) return;
    await hold({ jobs, unitOfWork }, job, token, turn, signal);
  }
}

async function hold(
  { jobs, unitOfWork }: Jobs,
  job: BulkJob,
  token: Buffer,
  turn: (claim: Claim) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const unwanted = AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]);
  const claim: Claim = { job, token, unwanted, done: null };
  const renew = async () => {
    const isHeld = await unitOfWork.run((tx) =>
      jobs.in(tx).renew(job, token, LEASE_SECONDS, claim.done),
    );
    if (!isHeld) lost.abort();
  };
  // A renewal that fails is seen when something is stored with the token.
  const beat = setInterval(() => void renew().catch(() => undefined), LEASE_SECONDS * 500);
  try {
    await turn(claim);
  } finally {
    clearInterval(beat);
    await unitOfWork.run((tx) => jobs.in(tx).release(job, token));
  }
}
