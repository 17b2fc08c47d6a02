import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import type { DeliveryWithAttempts } from '../../deliveries/deliveries.service.js';
import { domainOf } from '../../forms/model/domain-list.js';
import type { Form } from '../../forms/model/form.entity.js';
import { mayChange } from '../../forms/model/may-change.js';
import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import type { Colleague } from '../../triage/assignees/colleagues.js';
import { ImagesService } from '../../submissions/images.service.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { SubmissionFinder } from '../../search/finder/submission-finder.js';
import { mayRemove, NotesService } from '../../triage/notes/notes.service.js';
import { PresenceService } from '../../triage/presence/presence.service.js';
import { FilterLines, meOf } from '../../search/lines/filter-lines.service.js';
import { FilterUnclear } from '../../submissions/model/submission.errors.js';
import type { Submission } from '../../submissions/model/submission.entity.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';
import { TimelineService } from '../../triage/timeline/timeline.service.js';
import { TagsService } from '../../triage/marks/tags.service.js';
import { TriageService } from '../../triage/marks/triage.service.js';
import { allowsOrigin, origin as originSignal } from '../../spam/signals/origin.js';
import { SpamLists } from '../../spam/lists/spam-lists.service.js';
import { BY_HAND, type SpamPart, type Verdict } from '../../spam/evidence/verdict.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { WebhooksService } from '../../webhooks/webhooks.service.js';
import { textOf, type Typed } from '../parts/typed.js';
import { inboxAddress, submissionAddress } from '../addresses/folders.js';
import { Looks } from '../rows/looks.js';
import { nameOf } from '../rows/rows.js';
import type { SubmissionPageProps } from './submission.page.js';
import type { DeliveryShown, EntryShown } from './timeline.js';

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
    private readonly tags: TagsService,
    private readonly notes: NotesService,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly filters: FilterLines,
    private readonly timeline: TimelineService,
    private readonly webhooks: WebhooksService,
    private readonly looks: Looks,
    private readonly images: ImagesService,
    private readonly presence: PresenceService,
  ) {}

  /** @param line the filter that it was opened from; null for none */
  async of(
    principal: Principal,
    found: SubmissionInFull,
    line: string | null,
  ): Promise<Omit<SubmissionPageProps, 'frame'>> {
    const { form, submission, files } = found;
    const { id, spam, spamReason, trash, origin, referer, userAgent, address, country } =
      submission;
    const { identifier } = form;
    const mayTriage = principal.may('triage');
    const verdict = await this.verdicts.of(submission);
    const notes = await this.notes.list(principal, identifier, id);
    const assigneeId = await this.assignees.show(principal, identifier, id);
    const people = await this.assignees.named(principal, assigneeId === null ? [] : [assigneeId]);
    const assignee = assigneeId === null ? null : shownPerson(people.get(assigneeId));
    const choices = mayTriage ? await this.assignees.choices(principal, identifier) : [];
    const images = await this.images.among(files);
    const me = meOf(principal);
    return {
      form: { name: form.name, identifier, previewFields: form.previewFields },
      id: formatUuid(id),
      line,
      others: (await this.presence.others(principal, identifier, id)).map(({ name }) => name),
      looked: await this.looks.begun(principal, id),
      newer: await this.neighbour(principal, line, id, 'ASC'),
      older: await this.neighbour(principal, line, id, 'DESC'),
      receivedAt: timeOf(id),
      ...(await this.triage.show(principal, identifier, id)),
      ...{ spam, spamReason, trash, origin, referer, userAgent, address, country },
      answers: submission.texts,
      labels: form.labels,
      files: files.map(({ id: fileId, field, name, size }) => ({
        id: formatUuid(fileId),
        field,
        name,
        bytes: size,
        isImage: images.has(fileId.toString('hex')),
      })),
      ...{ assignee, choices },
      me: choices.some((choice) => choice.id === me) ? me : null,
      timeline: await this.timelineOf(principal, form, id),
      tags: await this.tags.show(principal, identifier, id),
      notes: notes.map(({ note, mentions }) => ({
        id: formatUuid(note.id),
        mentions: mentions.map(({ label }) => label),
        author: note.authorName,
        at: note.createdAt,
        text: note.text,
        mayRemove: mayTriage && mayRemove(principal, note),
      })),
      held: verdict.band === 'held',
      parts: [...verdict.parts],
      withheld: await this.verdicts.withheld(form, submission),
      allowable: await this.allowable(principal, form, submission, verdict),
      allowableOrigin: allowableOrigin(principal, form, submission, verdict),
      mayTriage,
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

  /** Returns the address of where to go on once this one has left the list. */
  async next(principal: Principal, line: string, id: Buffer): Promise<string> {
    const older = await this.neighbour(principal, line, id, 'DESC');
    return older ?? (await this.neighbour(principal, line, id, 'ASC')) ?? inboxAddress(line);
  }

  /** Returns its timeline, with what a webhook that is switched off does not send. */
  private async timelineOf(
    principal: Principal,
    { id: formId, identifier }: Pick<Form, 'id' | 'identifier'>,
    id: Buffer,
  ): Promise<EntryShown[]> {
    const entries = await this.timeline.show(principal, identifier, id);
    const hasCalls = entries.some(
      (entry) => entry.what === 'delivery' && entry.delivery.delivery.kind === 'webhook',
    );
    const isOff = hasCalls && (await this.webhooks.findOrCreate(formId)).isDisabled;
    return entries.map((entry) =>
      entry.what === 'delivery' ? { ...entry, delivery: shown(entry.delivery, isOff) } : entry,
    );
  }

  /** Returns the address of the next one in this order within the filter; null when there is none. */
  private async neighbour(
    principal: Principal,
    line: string | null,
    id: Buffer,
    order: 'ASC' | 'DESC',
  ): Promise<string | null> {
    if (line === null) return null;
    try {
      const selection = await this.filters.read(principal, line);
      const bound = [order === 'ASC' ? '>' : '<', id] as const;
      const window = { order, bound, limit: 1, budgetMs: NEIGHBOUR_MS };
      const { ids } = await this.finder.findFor(principal, selection, window);
      for await (const [entry] of this.inbox.read(selection, ids)) {
        if (!entry) continue;
        const { form, submission } = entry;
        return submissionAddress(form.identifier, formatUuid(submission.id), line);
      }
      return null;
    } catch (error) {
      if (error instanceof FilterUnclear) return null;
      throw error;
    }
  }
}

function shownPerson(person: Colleague | undefined) {
  return { id: person?.id ?? null, name: nameOf(person), email: person?.email ?? null };
}

/** Returns the filter that a page was opened from, as a request carries it; null when it carries none. */
export function lineOf(sent: Typed | undefined): string | null {
  return sent && 'q' in sent ? textOf(sent, 'q') : null;
}

function shown({ delivery, attempts }: DeliveryWithAttempts, isOff: boolean): DeliveryShown {
  const { id, kind, recipient, state, nextTryAt: nextAttemptAt } = delivery;
  return {
    ...{ kind, recipient, state, nextAttemptAt },
    id: formatUuid(id),
    canBeTried: state !== 'delivering' && !(isOff && kind === 'webhook'),
    attempts: attempts.map(({ at, durationMs, outcome, code, answer }) => ({
      ...{ at, durationMs, outcome, code, answer },
    })),
  };
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
