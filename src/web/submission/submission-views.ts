import { FormFields } from '../../forms/model/form-fields.js';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/principal.js';
import type { OptIn } from '../../deliveries/model/delivery.entity.js';
import { domainOf } from '../../forms/model/form-values.js';
import type { Form } from '../../forms/model/form.entity.js';
import { mayChange } from '../../forms/access/may-change.js';
import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import { AssigneesService, type Colleague } from '../../triage/assignees/assignees.service.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import {
  mayRemove,
  NotesService,
  type NoteWithMentions,
} from '../../triage/notes/notes.service.js';
import { PresenceService } from '../../triage/presence/presence.service.js';
import { FilterLines, meOf } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import { messageField } from '../../submissions/model/preview.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import { beyond, type Order } from '../../submissions/rows/submission-ids.js';
import {
  type SubmissionInFull,
  SubmissionsService,
} from '../../submissions/submissions.service.js';
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
import { textOf, type Typed } from '../parts/typed.js';
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

/** Collects what the page of a submission shows. */
@Injectable()
export class SubmissionViews {
  constructor(
    private readonly verdicts: VerdictsService,
    private readonly lists: SpamLists,
    private readonly triage: TriageService,
    private readonly assignees: AssigneesService,
    private readonly notes: NotesService,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly filters: FilterLines,
    private readonly timeline: TimelineService,
    private readonly repeats: RepeatsService,
    private readonly destinations: DestinationsService,
    private readonly looks: Looks,
    private readonly files: FileViews,
    private readonly presence: PresenceService,
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
    const { id, spam, spamReason, trash, origin, referer, userAgent, address, country, subject } =
      submission;
    const mayTriage = principal.may('triage');
    const { assigneeId, ...marks } = known ?? (await this.triage.marksOn(principal, submission));
    const [verdict, notes, choices, filesShown, others, repeats, [newer = null, older = null]] =
      await Promise.all([
        this.verdicts.of(submission),
        this.notes.of(principal, id),
        mayTriage ? this.assignees.choicesIn(principal, form.id) : [],
        this.files.of(files),
        this.presence.othersAt(principal, id),
        this.repeats.listFor(id),
        this.neighbours(principal, line, id, ['ASC', 'DESC']),
      ]);
    const isHeld = verdict.band === 'held';
    const { optIn, problem } = await this.confirmations.of(id);
    const isWaiting = optIn?.state === 'waiting';
    const [assignee, timeline, withheld, allowable, erasedAt] = await Promise.all([
      this.assigneeOf(principal, assigneeId, choices),
      this.timelineOf(principal, form.id, id, verdict, notes, optIn),
      isHeld || spam ? this.verdicts.withheld(form, submission) : [],
      this.allowable(principal, form, submission, verdict),
      this.trash.erasedAt(submission),
    ]);
    const me = meOf(principal);
    return {
      form,
      id: formatUuid(id),
      line,
      others: others.map(({ name }) => name),
      looked: await this.looks.begun(principal, id),
      ...{ newer, older },
      receivedAt: timeOf(id),
      ...marks,
      ...{ spam, spamReason, trash, origin, referer, userAgent, address, country, subject },
      answers: submission.lines,
      visitor: submission.values.visitor(),
      labels: fieldsOf(form),
      files: filesShown,
      ...{ assignee, choices },
      me: choices.some((choice) => choice.id === me) ? me : null,
      ...{ timeline, withheld, allowable },
      notes: notes.map(({ note, mentions }) => ({
        id: formatUuid(note.id),
        mentions: mentions.map(({ label }) => label),
        author: note.authorName,
        at: note.createdAt,
        text: note.text,
        mayRemove: mayTriage && mayRemove(principal, note),
      })),
      ...{ erasedAt, waiting: isWaiting ? { email: optIn.email, problem } : null },
      repeats: repeats.map((repeat) => ({
        id: formatUuid(repeat.id),
        seconds: Math.round((timeOf(repeat.id).getTime() - timeOf(id).getTime()) / 1_000),
      })),
      held: isHeld,
      parts: [...verdict.parts],
      allowableOrigin: allowableOrigin(principal, form, submission, verdict),
      mayTriage,
      isOfClient: principal.clientId !== null,
      mayEdit: principal.may('edit'),
      mayErase: principal.may('erase'),
    };
  }

  /** Returns what the reader may allow from now on, where something else than a person spoke against it. */
  private async allowable(
    principal: Principal,
    form: Form,
    submission: Submission,
    { parts }: Verdict,
  ): Promise<string[]> {
    const isSuspect = parts.some(({ name, points }) => name !== BY_HAND && points > 0);
    if (!isSuspect || isMarked(parts) || !mayChange(principal, form)) return [];
    return this.lists.offers(form.id, submission.texts);
  }

  private async assigneeOf(principal: Principal, id: number | null, choices: readonly Colleague[]) {
    if (id === null) return null;
    const known = choices.find((choice) => choice.id === id);
    return shownPerson(known ?? (await this.assignees.named(principal, [id])).get(id));
  }

  /** Returns the address of where to go on once this one has left the list. */
  async next(principal: Principal, line: string, id: Buffer): Promise<string> {
    const [older, newer] = await this.neighbours(principal, line, id, ['DESC', 'ASC']);
    return older ?? newer ?? inboxAddress(line);
  }

  /** Returns its timeline, with what a webhook that is switched off does not send. */
  private async timelineOf(
    principal: Principal,
    formId: number,
    ...known: [Buffer, Verdict, readonly NoteWithMentions[], OptIn | null]
  ): Promise<EntryShown[]> {
    const entries = await this.timeline.of(principal, ...known);
    const hasCalls = entries.some(
      (entry) => entry.what === 'delivery' && entry.delivery.delivery.kind === 'webhook',
    );
    const isOff = hasCalls && (await this.destinations.webhooksPausedAmong([formId])).size > 0;
    return entries.map((entry) =>
      entry.what === 'delivery'
        ? {
            ...entry,
            delivery: deliveryShown(entry.delivery, isOff, known[3]?.state === 'waiting'),
          }
        : entry,
    );
  }

  /** Returns the addresses of the next ones in these orders within the filter; null where there is none. */
  private async neighbours(
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

/** Returns the fields of a form; where none is known, the one that has the message, so that it comes first. */
function fieldsOf({ fields, previewFields }: Form): FormFields {
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
function isMarked(parts: readonly SpamPart[]): boolean {
  return parts.some(({ name, points }) => name === BY_HAND && points > 0);
}

/** Returns the domain that would take the page of a submission, where that spoke against it; null for none. */
function allowableOrigin(
  principal: Principal,
  form: Form,
  { origin }: Submission,
  { parts }: Verdict,
): string | null {
  const spoke = parts.some(({ name, points }) => name === originSignal.name && points > 0);
  if (!spoke || isMarked(parts) || !mayChange(principal, form) || origin === null) return null;
  return allowsOrigin(form.whitelistedDomains, origin) ? null : domainOf(origin);
}
