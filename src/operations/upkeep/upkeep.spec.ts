import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Principals } from '../../auth/principals.js';
import type { AuditService } from '../../audit/audit.service.js';
import { Config } from '../../platform/config/config.js';
import type { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { FileSweeper } from '../../files/file-sweeper.js';
import type { SpamLessons } from '../../spam/learning/spam-lessons.service.js';
import type { ProofsOfWork } from '../../spam/proof-of-work/proofs-of-work.service.js';
import type { Idempotency } from '../../submissions/storage/idempotency.js';
import type { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import type { Mailer } from '../../mail/mailer.js';
import type { LinkSignInService } from '../../people/link-sign-in.service.js';
import type { PasskeysService } from '../../people/passkeys.service.js';
import type { SessionsService } from '../../sessions/sessions.service.js';
import type { BulkJobWorker } from '../../submissions/jobs/bulk-job-worker.js';
import type { BulkJobsService } from '../../submissions/jobs/bulk-jobs.service.js';
import type { Leftovers } from '../../submissions/leftovers.js';
import type { ExportFiles } from '../../submissions/jobs/export-files.js';
import type { ExportJobWorker } from '../../submissions/jobs/export-job-worker.js';
import type { ViewDigestWorker } from '../../saved-views/view-digest-worker.js';
import type { Signals } from '../../platform/signals/signals.js';
import type { NotesService } from '../../submissions/notes/notes.service.js';
import type { MarkedSubmissions } from '../../submissions/triage/marked-submissions.js';
import type { SubmissionPurger } from '../../submissions/submission-purger.js';
import type { WideWalk } from '../../submissions/search/wide-walk.js';
import type { PresenceService } from '../../submissions/presence/presence.service.js';
import type { StatisticsService } from '../../submissions/statistics/statistics.service.js';
import type { BlockBuilder } from '../../submissions/texts/block-builder.js';
import type { TextMover } from '../../submissions/texts/text-mover.js';
import type { PreviewLearner } from '../../submissions/values/preview-learner.js';
import type { ValueIndexer } from '../../submissions/values/value-indexer.js';
import type { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import type { WebhooksService } from '../../webhooks/webhooks.service.js';
import { UpkeepJobs } from './upkeep-jobs.js';
import { Upkeep } from './upkeep.js';

const SOON_MS = 60_000;

/** The signal that each job was begun with. */
const begun = new Map<string, AbortSignal | undefined>();
let stillAt: Promise<number> = Promise.resolve(0);
/** What a test began; it ends before the next one, since all work in the background takes turns. */
const made: Upkeep[] = [];
beforeEach(() => {
  begun.clear();
  stillAt = Promise.resolve(0);
  // The pace of the background measures how long its work really takes.
  jest.useFakeTimers({ doNotFake: ['performance'] });
});
afterEach(async () => {
  for (const upkeep of made.splice(0)) {
    upkeep.beforeApplicationShutdown();
    await upkeep.onApplicationShutdown();
  }
  jest.useRealTimers();
});

function upkeepWith(workers: string): Upkeep {
  const job = (name: string) => (_: unknown, signal?: AbortSignal) => {
    begun.set(name, signal);
    return stillAt;
  };
  // Each is asked for one method alone; their private parts are in no object that a test can write.
  const jobs = new UpkeepJobs(
    {
      indexAll: (signal: AbortSignal) => job('index')(new Date(), signal),
    } as unknown as ValueIndexer,
    { moveAll: job('texts') } as unknown as TextMover,
    {
      buildAll: (signal: AbortSignal) => job('blocks')(new Date(), signal),
    } as unknown as BlockBuilder,
    {
      purgeDeletedForms: job('purge'),
      applyRetention: job('retention'),
    } as unknown as SubmissionPurger,
    { sweep: job('files') } as unknown as FileSweeper,
    { forgetOld: job('keys') } as unknown as Idempotency,
    { forgetOld: job('deliveries') } as unknown as DeliveriesService,
    { forgetOld: job('counts') } as unknown as RateLimits,
    {} as WebhooksService,
    { forgetOld: job('sessions') } as unknown as SessionsService,
    { forgetOld: job('links') } as unknown as LinkSignInService,
    { forgetOld: job('challenges') } as unknown as PasskeysService,
    { forgetOld: job('audit') } as unknown as AuditService,
    { forgetOld: job('jobs') } as unknown as BulkJobsService,
    { work: job('bulk') } as unknown as BulkJobWorker,
    { work: job('exports') } as unknown as ExportJobWorker,
    { sweep: job('old exports') } as unknown as ExportFiles,
    {} as Principals,
    { work: job('digests') } as unknown as ViewDigestWorker,
    {
      forgetOld: (signal: AbortSignal) => job('signals')(new Date(), signal),
    } as unknown as Signals,
    { learnSome: job('lessons') } as unknown as SpamLessons,
    {} as MarkedSubmissions,
    { endHolds: job('holds') } as unknown as VerdictsService,
    { forgetOld: job('proofs') } as unknown as ProofsOfWork,
    {
      countDeliveries: job('fates'),
      takeAwayUnnamed: (signal: AbortSignal) => job('facets')(new Date(), signal),
    } as unknown as StatisticsService,
    { forgetOld: () => job('presence')(new Date()) } as unknown as PresenceService,
    {
      nameAccounts: (signal: AbortSignal) => job('accounts')(new Date(), signal),
    } as unknown as WideWalk,
    { forgetRemoved: () => job('notes')(new Date()) } as unknown as NotesService,
    {
      learnAll: (signal?: AbortSignal) => job('previews')(null, signal),
    } as unknown as PreviewLearner,
    { remove: job('leftovers') } as unknown as Leftovers,
    { forgetFiles: job('mails') } as unknown as Mailer,
  );
  const upkeep = new Upkeep(jobs, Config.from({ WORKERS: workers }));
  made.push(upkeep);
  return upkeep;
}

const JOBS = [
  'accounts',
  'audit',
  'blocks',
  'bulk',
  'challenges',
  'counts',
  'deliveries',
  'digests',
  'exports',
  'facets',
  'fates',
  'files',
  'holds',
  'index',
  'jobs',
  'keys',
  'leftovers',
  'lessons',
  'links',
  'mails',
  'notes',
  'old exports',
  'presence',
  'previews',
  'proofs',
  'purge',
  'retention',
  'sessions',
  'signals',
  'texts',
];

describe('The upkeep', () => {
  it.each([
    ['on', JOBS],
    ['only', JOBS],
    ['off', []],
  ])('with WORKERS=%s does %j soon after the start', async (workers, jobs) => {
    upkeepWith(workers).onApplicationBootstrap();

    await jest.advanceTimersByTimeAsync(SOON_MS);

    expect([...begun.keys()].sort()).toEqual(jobs);
  });

  it('begins nothing that it is still at', async () => {
    upkeepWith('on').onApplicationBootstrap();
    let done: (removed: number) => void = () => undefined;
    stillAt = new Promise((resolve) => (done = resolve));
    await jest.advanceTimersByTimeAsync(SOON_MS);
    begun.clear();

    await jest.advanceTimersByTimeAsync(3 * 3_600_000);

    expect([...begun.keys()]).toEqual([]);
    done(0);
  });

  it('is told at once that the process ends, and waited for at last', async () => {
    const upkeep = upkeepWith('on');
    upkeep.onApplicationBootstrap();
    let done: (removed: number) => void = () => undefined;
    stillAt = new Promise((resolve) => (done = resolve));
    await jest.advanceTimersByTimeAsync(SOON_MS);
    let ended = false;

    upkeep.beforeApplicationShutdown();
    const end = upkeep.onApplicationShutdown().then(() => (ended = true));
    await jest.advanceTimersByTimeAsync(SOON_MS);

    // These ask between two steps whether the process ends.
    const told = JOBS.filter((name) => !['fates', 'lessons', 'notes', 'presence'].includes(name));
    const signals = told.map((name) => begun.get(name));
    expect(signals.map((signal) => signal?.aborted)).toEqual(signals.map(() => true));
    expect(ended).toBe(false);
    done(1);
    await end;
    begun.clear();
    await jest.advanceTimersByTimeAsync(2 * 3_600_000);
    expect(begun.size).toBe(0);
  });
});
