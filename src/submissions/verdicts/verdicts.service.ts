import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { KeptBackOf, Holds, OptIns } from '../../deliveries/holds/holds.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Scope } from '../../accounts/access/index.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import type { PlannedDelivery } from '../../deliveries/model/delivery.entity.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { DeliveryPlanner, type Judged } from '../../deliveries/delivery-planner.js';
import { runStatements, UnitOfWork } from '../../platform/database/index.js';
import { inPortions, BackgroundTask, type TaskRun, Signals, Clock, SECOND_MS } from '../../platform/index.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { BY_HAND, MARKED_BY_HAND, Verdict, type SpamPart } from '../../spam/evidence/verdict.js';
import { keyOf } from '../rows/submission-ids.js';
import type { Submission } from '../model/submission.entity.js';
import { SubmissionNotFound } from '../model/submission.errors.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { receivedAnew, SubmissionBatchesRepository } from '../rows/received.js';
import { SubmissionVerdict } from './submission-verdict.entity.js';
import { VerdictsRepository, heldForViruses } from './verdicts.repository.js';
import type { SubmittedFile } from '../files/submitted-file.entity.js';
import { FilesService } from '../files/files.service.js';

/** Holds that one transaction ends. */
const HOLDS_AT_ONCE = 100;
/** As what a person says is no spam is judged. */
const RELEASED = { band: 'clean', heldUntil: null } as const;

/** Shows why submissions are clean, held or spam, and keeps what people decide. */
@Injectable()
export class VerdictsService {
  constructor(
    private readonly verdicts: VerdictsRepository,
    private readonly submissions: SubmissionsRepository,
    private readonly forms: FormQueries,
    private readonly planner: DeliveryPlanner,
    private readonly deliveries: DeliveriesService,
    private readonly holds: Holds,
    private readonly optIns: OptIns,
    private readonly batches: SubmissionBatchesRepository,
    private readonly clock: Clock,
  ) {}

  /** Tells which of these submissions are spam or held, for what waits for them. */
  @KeptBackOf()
  keptBack(tx: EntityManager, ids: Buffer[]) {
    return this.verdicts.in(tx).keptBack(ids);
  }

  /** @throws FormNotFound, SubmissionNotFound */
  async show(scope: Scope, identifier: string, id: Buffer | null): Promise<Verdict> {
    const form = await this.forms.get(scope, identifier);
    const submission = id && (await this.submissions.find(form.id, id));
    if (!submission) throw new SubmissionNotFound();
    return this.of(submission);
  }

  /** Returns the verdict on a submission whose scope was checked already. */
  async of(submission: Submission): Promise<Verdict> {
    const rows = await this.verdicts.of([submission.id]);
    return storedVerdict(submission, rows.get(keyOf(submission.id)));
  }

  /** Returns which of these submissions are held, by the id as Latin-1, on the connection of a transaction that asks. */
  heldAmong(submissionIds: readonly Buffer[], tx?: EntityManager): Promise<Set<string>> {
    return this.verdicts.in(tx).heldAmong(submissionIds);
  }

  /** Counts what is held in forms of the scope and not in the trash, up to `max`. */
  countHeld(forms: readonly Pick<Form, 'id'>[], max: number) {
    const ids = forms.map(({ id }) => id);
    return this.verdicts.countHeld(ids, max);
  }

  /** Returns what is sent when somebody says that it is no spam; nothing for what went out before. */
  async withheld(form: Form, submission: Submission): Promise<PlannedDelivery[]> {
    if (submission.wasSpamOnArrival) {
      const planned = await this.planner.plan(form, submission, RELEASED);
      return planned.filter(({ withheldUntil }) => withheldUntil === undefined);
    }
    const withheld = await this.holds.listFor(submission.id);
    const [waits] = await this.optIns.waitingAmong([submission.id]);
    return waits ? withheld.filter(({ kind }) => kind === 'opt_in') : withheld;
  }

  /**
   * Follows a mark, in its transaction: spam causes nothing any more, and what is none gets what was withheld.
   * The worker of deliveries is to be woken after it.
   * @param before what the submission was
   */
  async follow(
    tx: EntityManager,
    form: Form,
    submission: Submission,
    before: Pick<Submission, 'spam' | 'wasSpamOnArrival'>,
  ) {
    const { id, spam } = submission;
    if (spam && !before.spam) await this.holds.withhold(tx, [id]);
    if (!spam && !before.wasSpamOnArrival) await this.holds.release(tx, [id]);
    if (!spam && before.wasSpamOnArrival) await this.send(tx, form, submission, RELEASED);
    await this.decide(tx, form, submission);
    await this.count(tx, submission, before.spam);
  }

  /**
   * Gives a submission another verdict, in a transaction. What was sent stays so: what is spam now causes nothing any
   * more, and what is none is sent once.
   */
  async replace(tx: EntityManager, form: Form, submission: Submission, before: Verdict, after: Verdict) {
    const { id, formId, spam: wasSpam, wasSpamOnArrival } = submission;
    const isHeld = after.band === 'held';
    const heldUntil = SpamSettings.of(form).heldUntil(after, this.clock.now());
    if (after.isSpam || wasSpam) {
      submission.follow(after);
      await this.submissions.in(tx).save(submission);
    }
    if (after.band !== before.band) {
      const band = isHeld ? 'held' : 'clean';
      if (after.isSpam) await this.holds.withhold(tx, [id]);
      else if (wasSpamOnArrival) await this.send(tx, form, submission, { band, heldUntil });
      else if (isHeld) await this.holds.hold(tx, [id], heldUntil);
      else await this.holds.release(tx, [id]);
    }
    await this.count(tx, submission, wasSpam);
    if (after.parts.length === 0) await this.verdicts.in(tx).forget([id]);
    else await this.verdicts.in(tx).renew(SubmissionVerdict.of(formId, id, after), heldUntil);
  }

  /** Plans what spam from the start never caused. */
  private async send(tx: EntityManager, form: Form, submission: Submission, judged: Judged) {
    const { id: submissionId, formId } = submission;
    const planned = await this.planner.plan(form, submission, judged, tx);
    await runStatements(tx, this.deliveries.outboxInserts([{ formId, submissionId, planned }]));
  }

  /** Has a submission counted anew, where it became spam or none. */
  private async count(tx: EntityManager, submission: Submission, wasSpam: boolean) {
    if (submission.spam !== wasSpam) await this.batches.in(tx).enqueue(receivedAnew(submission));
  }

  private async decide(tx: EntityManager, form: Form, submission: Submission) {
    const { id, formId, spam } = submission;
    const known = (await this.verdicts.in(tx).of([id])).get(keyOf(id))?.verdict ?? Verdict.CLEAN;
    // To confirm what nothing speaks against needs no row.
    if (!spam && known.parts.length === 0) return;
    const verdict = known.decided(spam, SpamSettings.of(form));
    await this.verdicts.in(tx).save(SubmissionVerdict.of(formId, id, verdict));
  }
}

/** Returns the verdict on a submission by its row, which most do not have. */
export function storedVerdict(submission: Submission, row?: SubmissionVerdict): Verdict {
  return row?.verdict ?? withoutRow(submission);
}

/** Returns the verdict on a submission from before parts were kept: spam has one reason, by its code. */
function withoutRow({ spam, spamCode, spamReason }: Submission) {
  if (!spam) return Verdict.CLEAN;
  const part: SpamPart = { name: spamCode ?? BY_HAND, points: 10, reason: spamReason ?? MARKED_BY_HAND };
  return Verdict.stored('spam', [part]);
}

/** Changes verdicts later: when a hold is over, and when a file is scanned that was not when it came. */
@Injectable()
export class LateVerdicts {
  constructor(
    private readonly scans: FilesService,
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly holds: Holds,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /**
   * Says of held submissions whose hold is over what became of them: the outbox sent what they cause by itself.
   * @returns how many
   */
  @BackgroundTask('end holds', 10 * SECOND_MS)
  endHolds({ now, signal }: TaskRun): Promise<number> {
    return inPortions(async () => {
      const over = await this.unitOfWork.run(async (tx) => {
        const verdicts = this.verdicts.in(tx);
        const rows = await verdicts.holdsOverAt(now, HOLDS_AT_ONCE);
        for (const row of rows) await verdicts.endHold(row, row.verdict.released());
        return rows;
      });
      for (const formId of new Set(over.map((row) => row.formId))) {
        this.signals.give(FORM_TOPICS.changed, formId);
      }
      return over.length;
    }, signal);
  }

  /** Scans what waits for it. What went out before stays out; what is withheld stays so until a person decides. */
  @BackgroundTask('scan files', 30 * SECOND_MS)
  async scan({ now, signal }: TaskRun): Promise<void> {
    for await (const { file, scan } of this.scans.again(now, signal)) {
      await this.unitOfWork.run(async (tx) => {
        if (scan.virus !== null) await this.hold(tx, file, scan.virus);
        await this.scans.save(tx, file, scan);
      });
      if (scan.virus !== null) this.signals.give(FORM_TOPICS.changed, file.formId);
    }
  }

  /** Holds the submission of an infected file, whatever was decided before that was known. */
  private async hold(tx: EntityManager, file: SubmittedFile, virus: string) {
    const { formId, submissionId: id, name } = file;
    await this.forms.lockCount(tx, formId);
    const form = await this.forms.find(formId, tx);
    const submission = form && (await this.submissions.in(tx).find(formId, id));
    if (!submission) return;
    const row = (await this.verdicts.in(tx).of([id])).get(keyOf(id));
    const settings = SpamSettings.of(form);
    const known = storedVerdict(submission, row);
    const verdict = heldForViruses([{ name, scan: { virus } }], known, settings);
    await this.verdicts.in(tx).save(SubmissionVerdict.of(formId, id, verdict));
    if (verdict.band === 'held') await this.holds.hold(tx, [id], null);
  }
}
