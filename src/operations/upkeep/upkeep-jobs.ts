import { Injectable } from '@nestjs/common';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { FileSweeper } from '../../files/file-sweeper.js';
import { SpamLessons } from '../../spam/learning/spam-lessons.service.js';
import { ProofsOfWork } from '../../spam/proof-of-work/proofs-of-work.service.js';
import { Idempotency } from '../../submissions/storage/idempotency.js';
import { Principals } from '../../auth/principals.js';
import { AuditService } from '../../audit/audit.service.js';
import { RateLimits } from '../../platform/rate-limits/rate-limits.js';
import { Mailer } from '../../mail/mailer.js';
import { LinkSignInService } from '../../people/link-sign-in.service.js';
import { PasskeysService } from '../../people/passkeys.service.js';
import { SessionsService } from '../../sessions/sessions.service.js';
import { BulkJobWorker } from '../../submissions/jobs/bulk-job-worker.js';
import { BulkJobsService } from '../../submissions/jobs/bulk-jobs.service.js';
import { ViewDigestWorker } from '../../saved-views/view-digest-worker.js';
import { Signals } from '../../platform/signals/signals.js';
import { Leftovers } from '../../submissions/leftovers.js';
import { ExportFiles } from '../../submissions/jobs/export-files.js';
import { ExportJobWorker } from '../../submissions/jobs/export-job-worker.js';
import { NotesService } from '../../submissions/notes/notes.service.js';
import { MarkedSubmissions } from '../../submissions/triage/marked-submissions.js';
import { SubmissionPurger } from '../../submissions/submission-purger.js';
import { PresenceService } from '../../submissions/presence/presence.service.js';
import { StatisticsService } from '../../submissions/statistics/statistics.service.js';
import { BlockBuilder } from '../../submissions/texts/block-builder.js';
import { WideWalk } from '../../submissions/search/wide-walk.js';
import { TextMover } from '../../submissions/texts/text-mover.js';
import { PreviewLearner } from '../../submissions/values/preview-learner.js';
import { ValueIndexer } from '../../submissions/values/value-indexer.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { inPortions } from '../../platform/kernel/portions.js';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/kernel/durations.js';

/** A job of the background, and how often it is started. */
export interface Job {
  name: string;
  everyMs: number;
  /** @param signal aborts the job when the process stops; the rest is left to the next run */
  run(now: Date, signal: AbortSignal): Promise<unknown>;
}

/**
 * Names the jobs that no request waits for. All instances may run all jobs at once: each job is a series of
 * small transactions, which find nothing left to do when another instance was faster.
 */
@Injectable()
export class UpkeepJobs {
  readonly all: readonly Job[];

  constructor(
    values: ValueIndexer,
    texts: TextMover,
    blocks: BlockBuilder,
    purger: SubmissionPurger,
    files: FileSweeper,
    keys: Idempotency,
    deliveries: DeliveriesService,
    limits: RateLimits,
    webhooks: WebhooksService,
    sessions: SessionsService,
    links: LinkSignInService,
    passkeys: PasskeysService,
    audit: AuditService,
    jobs: BulkJobsService,
    worker: BulkJobWorker,
    exportWorker: ExportJobWorker,
    exportFiles: ExportFiles,
    principals: Principals,
    digests: ViewDigestWorker,
    signals: Signals,
    lessons: SpamLessons,
    marked: MarkedSubmissions,
    verdicts: VerdictsService,
    proofs: ProofsOfWork,
    statistics: StatisticsService,
    presence: PresenceService,
    wide: WideWalk,
    notes: NotesService,
    previews: PreviewLearner,
    leftovers: Leftovers,
    mailer: Mailer,
  ) {
    this.all = [
      { name: 'index values', everyMs: SECOND_MS, run: (_, signal) => values.indexAll(signal) },
      {
        name: 'move texts',
        everyMs: 10 * SECOND_MS,
        run: (_, signal) => texts.moveAll(undefined, signal),
      },
      {
        name: 'name accounts of submissions',
        everyMs: 10 * SECOND_MS,
        run: (_, signal) => wide.nameAccounts(signal),
      },
      {
        name: 'build blocks of texts',
        everyMs: 5 * MINUTE_MS,
        run: (_, signal) => blocks.buildAll(signal),
      },
      {
        name: 'purge deleted forms',
        everyMs: 5 * SECOND_MS,
        run: (_, signal) =>
          purger.purgeDeletedForms(async (formId) => {
            await deliveries.forgetForm(formId);
            await webhooks.forgetForm(formId);
            await keys.forgetForm(formId);
          }, signal),
      },
      {
        name: 'change what filters mean',
        everyMs: SECOND_MS,
        run: (_, signal) => worker.work((maker) => principals.now(maker), signal),
      },
      {
        name: 'write exports',
        everyMs: SECOND_MS,
        run: (_, signal) => exportWorker.work((maker) => principals.now(maker), signal),
      },
      {
        name: 'remove old exports',
        everyMs: MINUTE_MS,
        run: (now, signal) => exportFiles.sweep(now, signal),
      },
      {
        name: 'send digests of views',
        everyMs: 30 * SECOND_MS,
        run: (now, signal) => digests.work(now, signal),
      },
      {
        name: 'learn what rows show',
        everyMs: 5 * MINUTE_MS,
        run: (_, signal) => previews.learnAll(signal),
      },
      {
        name: 'learn from marks',
        everyMs: SECOND_MS,
        run: (_, signal) =>
          inPortions(() => lessons.learnSome((tx, ids) => marked.read(tx, ids)), signal),
      },
      {
        name: 'count deliveries',
        everyMs: SECOND_MS,
        run: (_, signal) => inPortions(() => statistics.countDeliveries(), signal),
      },
      {
        name: 'take away unnamed counts',
        everyMs: 10 * SECOND_MS,
        run: (_, signal) => statistics.takeAwayUnnamed(signal),
      },
      {
        name: 'end holds',
        everyMs: 10 * SECOND_MS,
        run: (now, signal) => verdicts.endHolds(now, signal),
      },
      {
        name: 'remove what is left of what is gone',
        everyMs: DAY_MS,
        run: (now, signal) => leftovers.remove(now, signal),
      },
      {
        name: 'remove old files of mails',
        everyMs: DAY_MS,
        run: (now, signal) => mailer.forgetFiles(now, signal),
      },
      hourly('forget jobs that are over', (now, signal) => jobs.forgetOld(now, signal)),
      hourly('apply retention', (now, signal) => purger.applyRetention(now, signal)),
      { name: 'sweep files', everyMs: DAY_MS, run: (now, signal) => files.sweep(now, signal) },
      hourly('forget rate counts', (now, signal) => limits.forgetOld(now, signal)),
      hourly('forget who had what open', () => presence.forgetOld()),
      hourly('forget removed notes', (now) => notes.forgetRemoved(now)),
      hourly('forget signals', (_, signal) => signals.forgetOld(signal)),
      hourly('forget idempotency keys', (now, signal) => keys.forgetOld(now, signal)),
      hourly('forget proofs of work', (now, signal) => proofs.forgetOld(now, signal)),
      hourly('forget sessions', (now, signal) => sessions.forgetOld(now, signal)),
      hourly('forget sign-in links', (now, signal) => links.forgetOld(now, signal)),
      hourly('forget answered challenges', (now, signal) => passkeys.forgetOld(now, signal)),
      hourly('prune the audit log', (now, signal) => audit.forgetOld(now, signal)),
      hourly('prune the delivery log', (now, signal) => deliveries.forgetOld(now, signal)),
    ];
  }
}

function hourly(name: string, run: Job['run']): Job {
  return { name, everyMs: HOUR_MS, run };
}
