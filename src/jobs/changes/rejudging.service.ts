import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { FormQueries } from '../../forms/form-queries.service.js';
import { parseFilterLine, type FilterState } from '../../submissions/filter/filter-line.js';
import type { Selection } from '../../search/finder/selection.js';
import type { BulkChanges } from './bulk-changes.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { isOwnPage } from '../../forms/model/form-page.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FORM_TOPICS } from '../../forms/model/form-changes.js';
import { Config, Signals } from '../../platform/index.js';
import { SpamJudge } from '../../spam/judge/spam-judge.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { BLANK, FIELD_RULES, type Band, type Verdict } from '../../spam/evidence/verdict.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { isValued } from '../../submissions/filter/submission-filter.js';
import { MarksRepository } from '../../triage/marks/marks.repository.js';
import { encodeParts } from '../../submissions/verdicts/submission-verdict.entity.js';
import { VerdictsRepository } from '../../submissions/verdicts/verdicts.repository.js';
import { storedVerdict, VerdictsService } from '../../submissions/verdicts/verdicts.service.js';

/** States that say nothing about folders. */
const ANYWHERE: ReadonlySet<FilterState> = new Set<FilterState>(['unread', 'starred', 'answered']);

/** Returns what changes are for: what is judged again is spam too, unless the line names its folders. */
export function selectionFor<Meant extends Selection>({ rejudge }: BulkChanges, line: string, selection: Meant): Meant {
  const { is } = parseFilterLine(line, new Date());
  if (rejudge !== true || is.some((state) => !ANYWHERE.has(state))) return selection;
  return { ...selection, filter: { ...selection.filter, spam: null } };
}

/** A submission with its new verdict. */
interface Anew {
  id: Buffer;
  before: Verdict;
  after: Verdict;
}

/** New verdicts of submissions of one form. */
export interface RejudgePlan {
  formId: number;
  /** Verdicts that differ in something; for most the band is the same. */
  anew: Anew[];
  /** From which bands to which they move. */
  moves: { from: Band; to: Band }[];
  /** How many a person has decided on, starred, answered or finished, or thrown away: they stay as they are. */
  kept: number;
}

/**
 * Judges submissions again by what is stored of them and what their form says now. What a person decided stays,
 * and so does what was sent: what is spam now is not sent any more, and what is none is sent once.
 */
@Injectable()
export class Rejudging {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly decisions: VerdictsService,
    private readonly marks: MarksRepository,
    private readonly forms: FormQueries,
    private readonly judge: SpamJudge,
    private readonly deliveries: DeliveriesService,
    private readonly signals: Signals,
    private readonly config: Config,
  ) {}

  /** Judges these submissions of a form, whose scope was checked already, and changes nothing. */
  async plan(formId: number, ids: readonly Buffer[]): Promise<RejudgePlan> {
    const plan: RejudgePlan = { formId, anew: [], moves: [], kept: 0 };
    const form = await this.forms.find(formId);
    if (!form) return plan;
    const settings = SpamSettings.of(form);
    const rows = await this.verdicts.of(ids);
    const marks = await this.marks.of(ids);
    for await (const some of this.submissions.load(formId, ids)) {
      for (const submission of some) {
        const key = keyOf(submission.id);
        const before = storedVerdict(submission, rows.get(key));
        if (isKept(submission, before, marks.get(key))) {
          plan.kept++;
          continue;
        }
        const after = await this.judged(form, submission, before, settings);
        if (after === null) continue;
        plan.anew.push({ id: submission.id, before, after });
        if (after.band !== before.band) plan.moves.push({ from: before.band, to: after.band });
      }
      await nextTurn();
    }
    return plan;
  }

  /**
   * Makes what was planned, within a transaction; what changed meanwhile stays as it is. `tell()` is to be called
   * after it.
   * @returns how many moved to another band
   */
  async apply(tx: EntityManager, { formId, anew }: RejudgePlan) {
    if (anew.length === 0) return 0;
    await this.forms.lockCount(tx, formId);
    const form = await this.forms.find(formId, tx);
    if (!form) return 0;
    const ids = anew.map(({ id }) => id);
    const planned = new Map(anew.map((each) => [keyOf(each.id), each]));
    const rows = await this.verdicts.in(tx).of(ids);
    const marks = await this.marks.in(tx).of(ids);
    let counted = 0;
    let moved = 0;
    for await (const some of this.submissions.in(tx).load(formId, ids)) {
      for (const submission of some) {
        const key = keyOf(submission.id);
        const plan = planned.get(key);
        const now = storedVerdict(submission, rows.get(key));
        const isAsPlanned = plan && isSame(now, plan.before);
        if (!isAsPlanned || isKept(submission, now, marks.get(key))) continue;
        const wasCounted = submission.isCounted;
        await this.decisions.replace(tx, form, submission, plan.before, plan.after);
        counted += Number(submission.isCounted) - Number(wasCounted);
        moved += Number(plan.after.band !== plan.before.band);
      }
    }
    await this.forms.addToCount(tx, formId, counted);
    return moved;
  }

  /** Tells whoever waits for it what was made; to be called after the transaction. */
  tell({ formId, anew }: RejudgePlan) {
    if (anew.length > 0) this.signals.give(FORM_TOPICS.changed, formId);
    this.deliveries.wakeWorker();
  }

  /** Returns the verdict on what is stored of a submission; null when it is the same as before. */
  private async judged(form: Form, submission: Submission, before: Verdict, settings: SpamSettings) {
    const { origin, userAgent, address, referer } = submission;
    const evidence = {
      ...{ form, origin, isOwnPage: isOwnPage(form, referer), userAgent, fields: submission.values.toText() },
      address: this.config.intake.storeIp === 'full' ? (address ?? '') : '',
      // Not stored: signals that look at these do not look again.
      ...{ honeypot: null, fillMs: null, proof: null, captcha: null, acceptLanguage: null, alike: 0, fromNetwork: 0 },
    };
    const judged = await this.judge.judgeAgain(evidence, settings, before.parts);
    const after = stillHeld(judged, before, form, settings);
    // What it caused went out when its hold ended, so there is nothing to hold.
    if (before.isReleased && after.band === 'held') return null;
    return isSame(before, after) ? null : after;
  }
}

/**
 * Tells whether a person has said what it is: by a decision, a star, an answer, by finishing it or throwing it away; or
 * the service that it was imported from.
 */
function isKept(submission: Submission, verdict: Verdict, marks: readonly string[] = []) {
  const { trash, done } = submission;
  return trash || done || verdict.isDecided || verdict.isImported || isValued(marks);
}

/**
 * Returns a verdict that holds for infected files, for what is blank, and for broken rules of fields as long as the form
 * holds for them.
 */
function stillHeld(judged: Verdict, { parts, infection }: Verdict, { fields }: Form, settings: SpamSettings) {
  const broken = parts.find(({ name }) => name === FIELD_RULES);
  const isHeld = broken !== undefined && fields.holds;
  const filled = parts.some(({ name }) => name === BLANK) ? judged.blank(settings) : judged;
  const verdict = isHeld ? filled.breaking(broken.reason, settings) : filled;
  return infection ? verdict.infected(infection.reason, settings) : verdict;
}

function isSame(one: Verdict, other: Verdict) {
  return one.band === other.band && encodeParts(one.parts) === encodeParts(other.parts);
}
