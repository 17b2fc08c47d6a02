import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Jobs, type Job } from '../database/jobs.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { hook, Hooks } from '../hooks/hooks.js';
import { DatabaseUnavailable } from '../database/sql.js';
import { ConflictError, DomainError, fact } from '../kernel/errors.js';
import { MINUTE_MS } from '../kernel/time.js';

/** How jobs of a kind are worked on. */
export interface JobRules {
  kind: string;
  /** How often due ones are looked for, in milliseconds. */
  everyMs?: number;
  /** Life of a lease in seconds; it is renewed halfway, so only a dead worker's ends. */
  leaseSeconds?: number;
  /** Most turns of one look. */
  turnsMax?: number;
  /** Seconds until the second try of a turn that failed; each further wait is twice as long, up to half a day. */
  againSeconds?: number;
  /** Says when a job is due again that does not say so itself; a job of any other kind is over after its turn. */
  next?(job: Job, now: Date): Date;
}

/** Tries of a turn until it is given up. */
const TRIES_MAX = 10;
const AGAIN_MAX_SECONDS = 12 * 3_600;
/** Processes that end over a turn before it is given up. */
const DEATHS_MAX = 2;

/** The turn of a job, which a worker has for itself. */
export interface Turn {
  job: Job;
  /** The time at which it was due at the latest. */
  now: Date;
  /** When the job is due again; null for never. */
  next?: Date | null;
  /** Stores how far the work is, whenever the lease is renewed. */
  tell?(tx: EntityManager): Promise<void>;
  /** Aborted once work is to end: the job was lost, or the process stops. */
  unwanted: AbortSignal;
  /** Aborted once the job was lost: another worker may have it. */
  lost: AbortSignal;
  /**
   * Has a transaction store only while the job is not lost: its row stays locked until then.
   * @param isOnTheWay whether the turn got on, so that processes which ended before do not count
   * @returns false when it was lost
   */
  keep: (tx: EntityManager, isOnTheWay?: boolean) => Promise<boolean>;
}

/**
 * Has a method of a provider work on the jobs of a kind. What it throws is tried again, but for a broken rule where
 * `JobFails` says what becomes of the subject then.
 */
export const JobOf = hook<(turn: Turn) => Promise<void>, JobRules>();

/**
 * Has a method end the subject of a job of these kinds that broke a rule, or that was given up, in the transaction that ends
 * the job.
 */
export const JobFails = hook<(tx: EntityManager, job: Job, error: DomainError) => Promise<void>, readonly string[]>();

/** The turn of a job has failed too often, or has ended the process twice. */
export class JobGivenUp extends fact(
  ConflictError,
  'job_given_up',
  'The service failed repeatedly while it worked on this, and gave up. Try again.',
) {}

/** Works on due jobs. Each kind has a lane of its own, so that what takes long lets nothing of another kind wait. */
@Injectable()
export class JobWorker {
  private readonly logger = new Logger(JobWorker.name);

  constructor(
    private readonly jobs: Jobs,
    private readonly hooks: Hooks,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the work on each kind, to be run again and again. */
  lanes() {
    return this.hooks
      .all(JobOf)
      .map(({ about: { kind, everyMs = MINUTE_MS } }) => ({
        name: `jobs: ${kind}`,
        everyMs,
        run: (run: { now: Date; signal?: AbortSignal }) => this.work(kind, run.now, run.signal),
      }));
  }

  /** Works on what is due of a kind until nothing is. @param signal stops it between two turns, and says so to the turn */
  async work(kind: string, now: Date, signal?: AbortSignal) {
    const lane = this.hooks.all(JobOf).find(({ about }) => about.kind === kind);
    if (!lane) throw new Error(`Nobody works on ${kind}.`);
    const { leaseSeconds = 5, turnsMax = Infinity } = lane.about;
    for (let turns = 0; turns < turnsMax && !signal?.aborted; turns++) {
      const token = randomBytes(16);
      const job = await this.unitOfWork.run((tx) => this.jobs.in(tx).claim(kind, now, token, leaseSeconds));
      if (!job) return;
      const lost = new AbortController();
      const turn: Turn = {
        ...{ job, now, lost: lost.signal },
        unwanted: AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]),
        keep: (tx, isOnTheWay = true) => {
          const begun = isOnTheWay ? { tries: 0, deaths: 0 } : {};
          return this.jobs.in(tx).keep(job, token, leaseSeconds, begun);
        },
      };
      const renew = () =>
        this.unitOfWork.run(async (tx) => {
          if (await turn.keep(tx, false)) await turn.tell?.(tx);
          else lost.abort();
        });
      // A renewal that fails is seen when something is stored with the token.
      const beat = setInterval(() => void renew().catch(() => undefined), leaseSeconds * 500);
      await this.take(turn, token, lane).finally(() => {
        clearInterval(beat);
      });
    }
  }

  private async take(
    turn: Turn,
    token: Buffer,
    { about: rules, run }: { about: JobRules; run: (turn: Turn) => Promise<void> },
  ) {
    const { job } = turn;
    const { kind, againSeconds = 1 } = rules;
    const fails = this.hooks.all(JobFails).find(({ about }) => about.includes(kind));
    try {
      if (job.deaths >= DEATHS_MAX) throw new JobGivenUp();
      await run(turn);
      await this.giveBack(turn, token, rules);
    } catch (error) {
      if (turn.unwanted.aborted) {
        // What the end of the process interrupts is no try.
        await this.release(job, token, 0);
        return;
      }
      const tries = job.tries + 1;
      const isRule = error instanceof DomainError && !(error instanceof DatabaseUnavailable);
      const isOver = tries >= TRIES_MAX || error instanceof JobGivenUp;
      this.logger.warn(isOver ? 'A job is given up' : 'A job failed', { kind, tries, error });
      if (fails && (isRule || isOver)) {
        await this.unitOfWork.run(async (tx) => {
          if (!(await this.jobs.in(tx).end(job, token))) return;
          await fails.run(tx, job, isRule ? error : new JobGivenUp());
        });
      } else if (isOver) await this.giveBack(turn, token, rules);
      else {
        const seconds = Math.min(againSeconds * 2 ** job.tries, AGAIN_MAX_SECONDS);
        await this.release(job, token, seconds, tries);
      }
    }
  }

  private async giveBack(turn: Turn, token: Buffer, rules: JobRules) {
    const { job, now } = turn;
    const next = turn.next === undefined ? rules.next?.(job, now) : turn.next;
    const { state } = job;
    const given = { tries: 0, deaths: 0, leaseToken: null, state };
    await this.unitOfWork.run((tx) => {
      const jobs = this.jobs.in(tx);
      return next ? jobs.keep(job, token, 0, { ...given, nextAt: next }) : jobs.end(job, token);
    });
  }

  /** Leaves a job as it is due; no worker gets it for so long. */
  private async release(job: Job, token: Buffer, seconds: number, tries = job.tries) {
    await this.unitOfWork.run((tx) => this.jobs.in(tx).keep(job, token, seconds, { tries, leaseToken: null }));
  }
}
