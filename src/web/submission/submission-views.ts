import { FormFields } from '../../forms/model/form-fields.js';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import type { OptIn } from '../../deliveries/model/delivery.entity.js';
import { domainOf } from '../../forms/model/form-values.js';
import type { Form } from '../../forms/model/form.entity.js';
import { mayChange } from '../../forms/access/may-change.js';
import { formatUuid, timeOf } from '../../platform/index.js';
import { AssigneesService, type Colleague } from '../../triage/assignees/assignees.service.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { mayRemove, NotesService, type NoteWithMentions } from '../../triage/notes/notes.service.js';
import { PresenceService } from '../../triage/presence/presence.service.js';
import { FilterLines, meOf } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { messageField } from '../../submissions/model/preview.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { beyond, type Order } from '../../submissions/rows/submission-ids.js';
import { type SubmissionInFull, SubmissionsService } from '../../submissions/submissions.service.js';
import { TimelineService } from '../../triage/timeline/timeline.service.js';
import { TriageService, type ListedMarks } from '../../triage/marks/triage.service.js';
import { allowsOrigin, origin as originSignal } from '../../spam/signals/origin.js';
import { SpamLists } from '../../spam/lists/spam-lists.service.js';
import { BY_HAND, type SpamPart, type Verdict } from '../../spam/evidence/verdict.js';
import { Confirmations } from '../../submissions/confirmations/confirmations.service.js';
import { RepeatsService } from '../../submissions/repeats/repeats.service.js';
import { Trash } from '../../submissions/trash/trash.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { textOf, type Typed } from '../parts/index.js';
import { inboxAddress, submissionAddress } from '../addresses/folders.js';
import { Looks, nameOf } from '../rows/rows.js';
import type { SubmissionPageProps } from './submission.page.js';
import { deliveryShown, type EntryShown } from './timeline.js';
import { FilesService } from '../../submissions/files/files.service.js';
import type { SubmittedFile } from '../../submissions/files/submitted-file.entity.js';
import type { FileShown } from './values.js';

/** Collects what the page of a submission shows of its files. */
@Injectable()
export class FileViews {
  constructor(
    private readonly files: FilesService,
    private readonly images: SubmissionsService,
  ) {}

  /** Returns files with what scans for viruses found; of a locked one no picture is shown. */
  async of(files: readonly SubmittedFile[]): Promise<FileShown[]> {
    const scans = await this.files.scansOf(files);
    const scanOf = ({ id }: SubmittedFile) => scans.get(id.toString('hex'));
    const images = await this.images.among(files.filter((file) => !scanOf(file)?.isLocked));
    return files.map((file) => {
      const { id, field, name, size } = file;
      const { state = null, virus = null, isLocked = false } = scanOf(file) ?? {};
      return {
        ...{ id: formatUuid(id), field, name, bytes: size, virus, isLocked },
        isImage: images.has(id.toString('hex')),
        isUnscanned: state === 'unscanned',
      };
    });
  }
}

/** How long a link to the next or previous submission of a search is looked for, in milliseconds. */
const NEIGHBOUR_MS = 300;

/** Collects what people did with a submission. */
@Injectable()
export class TeamViews {
  constructor(
    private readonly triage: TriageService,
    private readonly assignees: AssigneesService,
    private readonly notes: NotesService,
    private readonly presence: PresenceService,
  ) {}

  /** @param known its marks, where they were read already */
  async of(principal: Principal, submission: Submission, known?: ListedMarks) {
    const { id, formId } = submission;
    const { assigneeId, ...marks } = known ?? (await this.triage.marksOn(principal, submission));
    const [notes, choices, others] = await Promise.all([
      this.notes.of(principal, id),
      principal.may('triage') ? this.assignees.choicesIn(principal, formId) : [],
      this.presence.othersAt(principal, id),
    ]);
    const me = meOf(principal);
    return {
      ...marks,
      ...{ notes, choices },
      assignee: await this.assigneeOf(principal, assigneeId, choices),
      others: others.map(({ name }) => name),
      me: choices.some((choice) => choice.id === me) ? me : null,
    };
  }

  private async assigneeOf(principal: Principal, id: number | null, choices: readonly Colleague[]) {
    if (id === null) return null;
    const known = choices.find((choice) => choice.id === id);
    return shownPerson(known ?? (await this.assignees.named(principal, [id])).get(id));
  }
}

/** Collects what speaks against a submission, and what may be allowed from now on. */
@Injectable()
export class SpamViews {
  constructor(
    private readonly verdicts: VerdictsService,
    private readonly lists: SpamLists,
  ) {}

  verdictOn(submission: Submission): Promise<Verdict> {
    return this.verdicts.of(submission);
  }

  async of(principal: Principal, form: Form, submission: Submission, verdict: Verdict) {
    const held = verdict.band === 'held';
    const [withheld, allowable] = await Promise.all([
      held || submission.spam ? this.verdicts.withheld(form, submission) : [],
      this.allowable(principal, form, submission, verdict),
    ]);
    const origin = allowableOrigin(principal, form, submission, verdict);
    return { held, withheld, allowable, allowableOrigin: origin, parts: [...verdict.parts] };
  }

  /** Returns what the reader may allow from now on, where something else than a person spoke against it. */
  private async allowable(principal: Principal, form: Form, submission: Submission, { parts }: Verdict) {
    const isSuspect = parts.some(({ name, points }) => name !== BY_HAND && points > 0);
    if (!isSuspect || isMarked(parts) || !mayChange(principal, form)) return [];
    return this.lists.offers(form.id, submission.texts);
  }
}

/** Collects what became of a submission. */
@Injectable()
export class TimelineViews {
  constructor(
    private readonly timeline: TimelineService,
    private readonly destinations: DestinationsService,
  ) {}

  /** Returns its timeline, with what a webhook that is switched off does not send. */
  async of(
    principal: Principal,
    formId: number,
    ...known: [Buffer, Verdict, readonly NoteWithMentions[], OptIn | null]
  ): Promise<EntryShown[]> {
    const entries = await this.timeline.of(principal, ...known);
    const hasCalls = entries.some((entry) => entry.what === 'delivery' && entry.delivery.delivery.kind === 'webhook');
    const isOff = hasCalls && (await this.destinations.webhooksPausedAmong([formId])).size > 0;
    return entries.map((entry) =>
      entry.what === 'delivery'
        ? { ...entry, delivery: deliveryShown(entry.delivery, isOff, known[3]?.state === 'waiting') }
        : entry,
    );
  }
}

/** Finds the submissions before and after one in a filter. */
@Injectable()
export class Neighbours {
  constructor(
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly filters: FilterLines,
  ) {}

  /** Returns the address of where to go on once this one has left the list. */
  async next(principal: Principal, line: string, id: Buffer) {
    const [older, newer] = await this.of(principal, line, id, ['DESC', 'ASC']);
    return older ?? newer ?? inboxAddress(line);
  }

  /** Returns the addresses of the next ones in these orders within the filter; null where there is none. */
  async of(
    principal: Principal,
    line: string | null,
    id: Buffer,
    orders: readonly Order[],
  ): Promise<(string | null)[]> {
    if (line === null) return [];
    try {
      const selection = await this.filters.read(principal, line);
      const found = await Promise.all(
        orders.map(async (order) => {
          const window = { order, bound: beyond(id, order), limit: 1, budgetMs: NEIGHBOUR_MS };
          return (await this.finder.findFor(principal, selection, window)).ids[0];
        }),
      );
      const ids = found.filter((each) => each !== undefined);
      const identifiers = await this.inbox.identifiersOf(selection, ids);
      return found.map((next) => {
        const identifier = next && identifiers.get(next.toString('latin1'));
        return identifier ? submissionAddress(identifier, formatUuid(next), line) : null;
      });
    } catch (error) {
      if (error instanceof FilterUnclear) return [];
      throw error;
    }
  }
}

/** Collects what the page of a submission shows. */
@Injectable()
export class SubmissionViews {
  constructor(
    private readonly team: TeamViews,
    private readonly spam: SpamViews,
    private readonly timeline: TimelineViews,
    private readonly neighbours: Neighbours,
    private readonly files: FileViews,
    private readonly repeats: RepeatsService,
    private readonly looks: Looks,
    private readonly trash: Trash,
    private readonly confirmations: Confirmations,
  ) {}

  /**
   * @param line the filter that it was opened from; null for none
   * @param known its marks, where they were read already
   */
  async of(
    principal: Principal,
    found: SubmissionInFull,
    line: string | null,
    known?: ListedMarks,
  ): Promise<SubmissionPageProps> {
    const { form, submission, files } = found;
    const { id, spam, spamReason, trash, origin, referer, userAgent, address, country, subject } = submission;
    const [team, verdict, filesShown, repeats, [newer = null, older = null]] = await Promise.all([
      this.team.of(principal, submission, known),
      this.spam.verdictOn(submission),
      this.files.of(files),
      this.repeats.listFor(id),
      this.neighbours.of(principal, line, id, ['ASC', 'DESC']),
    ]);
    const { optIn, problem } = await this.confirmations.of(id);
    const isWaiting = optIn?.state === 'waiting';
    const { notes, ...worked } = team;
    const [timeline, judged, erasedAt] = await Promise.all([
      this.timeline.of(principal, form.id, id, verdict, notes, optIn),
      this.spam.of(principal, form, submission, verdict),
      this.trash.erasedAt(submission),
    ]);
    return {
      ...{ form, line, id: formatUuid(id) },
      here: `/inbox/${form.identifier}/${formatUuid(id)}`,
      ...worked,
      ...judged,
      timeline,
      looked: await this.looks.begun(principal, id),
      ...{ newer, older },
      receivedAt: timeOf(id),
      ...{ spam, spamReason, trash, origin, referer, userAgent, address, country, subject },
      answers: submission.lines,
      visitor: submission.values.visitor(),
      labels: fieldsOf(form),
      files: filesShown,
      notes: notes.map(({ note, mentions }) => ({
        id: formatUuid(note.id),
        mentions: mentions.map(({ label }) => label),
        author: note.authorName,
        at: note.createdAt,
        text: note.text,
        mayRemove: principal.may('triage') && mayRemove(principal, note),
      })),
      ...{ erasedAt, waiting: isWaiting ? { email: optIn.email, problem } : null },
      repeats: repeats.map((repeat) => ({
        id: formatUuid(repeat.id),
        seconds: Math.round((timeOf(repeat.id).getTime() - timeOf(id).getTime()) / 1_000),
      })),
      mayTriage: principal.may('triage'),
      isOfClient: principal.clientId !== null,
      mayEdit: principal.may('edit'),
      mayErase: principal.may('erase'),
    };
  }
}

/** Returns the fields of a form; where none is known, the one that has the message, so that it comes first. */
function fieldsOf({ fields, previewFields }: Form) {
  const message = messageField(previewFields);
  if (fields.list.length > 0 || message === null) return fields;
  return new FormFields([{ name: message, kind: 'long_text' }]);
}

function shownPerson(person: Colleague | undefined) {
  return { id: person?.id ?? null, name: nameOf(person), email: person?.email ?? null };
}

/** Returns the filter that a page was opened from, as a request carries it; null when it carries none. */
export function lineOf(sent: Typed | undefined): string | null {
  return sent && 'q' in sent ? textOf(sent, 'q') : null;
}

/** Tells whether somebody said that it is spam. */
function isMarked(parts: readonly SpamPart[]) {
  return parts.some(({ name, points }) => name === BY_HAND && points > 0);
}

/** Returns the domain that would take the page of a submission, where that spoke against it; null for none. */
function allowableOrigin(principal: Principal, form: Form, { origin }: Submission, { parts }: Verdict) {
  const spoke = parts.some(({ name, points }) => name === originSignal.name && points > 0);
  if (!spoke || isMarked(parts) || !mayChange(principal, form) || origin === null) return null;
  return allowsOrigin(form.whitelistedDomains, origin) ? null : domainOf(origin);
}
