import { Injectable } from '@nestjs/common';
import type { Flash } from '../layout/cookies.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { parseTag } from '../../forms/model/form-values.js';
import { isTicked, textOf, type Typed } from '../parts/index.js';
import type { Principal } from '../../accounts/access/index.js';
import { HOUR_MS, SigningService, formatUuid, timeOf } from '../../platform/index.js';
import { OptIns } from '../../deliveries/holds/holds.service.js';
import { DeliveriesService } from '../../deliveries/deliveries.service.js';
import { AssigneesService, type Colleague } from '../../triage/assignees/assignees.service.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';
import type { InboxEntry } from '../../search/inbox/inbox.service.js';
import { TriageService, type Markable } from '../../triage/marks/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { previewOf } from '../../submissions/model/preview.js';
import { rowWords, type InboxRow } from './submission-table.js';
import type { SubmissionInFull } from '../../submissions/submissions.service.js';

/** Boxes and buttons of the list that change a mark. */
const MARKS = ['read', 'starred', 'answered', 'done', 'spam', 'trash'] as const;

type Field = [name: string, value: string];

/** A change that was chosen, and the fields that send it and its opposite. */
export interface Chosen {
  changes: BulkChanges;
  fields: Field[];
  inverse: Field[];
  /** Says that it was made. */
  flash: Flash;
}

const NOTHING: Chosen = { changes: {}, fields: [], inverse: [], flash: 'changed' };

/** Sentences of a change of each mark: to having it, and to not having it. */
const SAID: Record<(typeof MARKS)[number], readonly [Flash, Flash]> = {
  read: ['changed', 'is_unread'],
  starred: ['is_starred', 'is_unstarred'],
  answered: ['is_answered', 'is_unanswered'],
  done: ['is_done', 'is_open'],
  spam: ['is_spam', 'in_inbox'],
  trash: ['in_trash', 'in_inbox'],
};

/** Returns what a change of marks says. */
export function flashOf(changes: Partial<Record<(typeof MARKS)[number], boolean>>): Flash {
  const name = MARKS.findLast((each) => changes[each] !== undefined);
  return name === undefined ? 'changed' : SAID[name][changes[name] ? 0 : 1];
}

/** Returns the id of a person from a field; null for nobody. */
export function personIn(text: string): number | null {
  return /^\d{1,9}$/.test(text) ? Number(text) : null;
}

/**
 * Reads the change that was chosen in a list; without one, nothing is changed.
 * @param me the id of the person who chose
 */
export function chosenIn(typed: Typed | undefined, me: number | null): Chosen {
  if (typed && 'assign' in typed) {
    const chosen = personIn(textOf(typed, 'assignee'));
    const assignee = textOf(typed, 'assign') === 'me' ? me : chosen;
    const fields: Field[] = [
      ['assign', 'chosen'],
      ['assignee', String(assignee ?? '')],
    ];
    const flash = assignee === null ? 'unassigned' : 'assigned';
    return { changes: { assignee }, fields, inverse: [], flash };
  }
  const name = MARKS.find((each) => typed && each in typed);
  if (name) {
    const value = isTicked(typed, name);
    const field = (sent: boolean): Field[] => [[name, String(sent)]];
    const changes = { [name]: value };
    return { changes, fields: field(value), inverse: field(!value), flash: flashOf(changes) };
  }
  const added = parseTag(textOf(typed, 'add_tag'));
  if (added !== null && typed && 'tag' in typed) {
    return {
      changes: { addTag: added },
      fields: [
        ['add_tag', added],
        ['tag', 'true'],
      ],
      inverse: [['remove_tag', added]],
      flash: 'changed',
    };
  }
  const removed = parseTag(textOf(typed, 'remove_tag'));
  return removed === null
    ? NOTHING
    : {
        changes: { removeTag: removed },
        fields: [['remove_tag', removed]],
        inverse: [
          ['add_tag', removed],
          ['tag', 'true'],
        ],
        flash: 'changed',
      };
}

/** Header by which an open page says which look it goes on with. */
export const LOOK = 'Fcs-Look';
/** A page that is open for longer begins another look. */
const LOOK_MS = 12 * HOUR_MS;
const PURPOSE = 'look';

/** Tells a page that renews itself from a further look, which is recorded where a client looks. */
@Injectable()
export class Looks {
  constructor(private readonly signing: SigningService) {}

  /** Returns what an open page shows when it asks again; null where looks are not recorded. */
  async begun(principal: Principal, submissionId: Buffer): Promise<string | null> {
    if (principal.clientId === null) return null;
    const expiresAt = new Date(Date.now() + LOOK_MS);
    return this.signing.sign(PURPOSE, payloadOf(principal, submissionId), expiresAt);
  }

  /** Tells whether the same person is shown the same submission still. @param shown what the page was given */
  async goesOn(principal: Principal, submissionId: Buffer, shown = '') {
    const payload = await this.signing.verify(PURPOSE, shown, new Date());
    return payload?.equals(payloadOf(principal, submissionId)) ?? false;
  }
}

/** Names who looks, whose eyes they look through, for which client, and at what. */
function payloadOf({ actor, reader, clientId }: Principal, submissionId: Buffer): Buffer {
  const names = [actor, reader].map(({ kind, id }) => `${kind} ${id ?? ''}`);
  return Buffer.concat([submissionId, Buffer.from([...names, clientId].join(' '))]);
}

/** Submissions on a page of the inbox. */
export const ROWS = 50;

/** Makes the rows of lists. */
@Injectable()
export class InboxRows {
  constructor(
    private readonly triage: TriageService,
    private readonly assignees: AssigneesService,
    private readonly verdicts: VerdictsService,
    private readonly deliveries: DeliveriesService,
    private readonly optIns: OptIns,
  ) {}

  /**
   * Returns the rows of submissions.
   * @param pieces the submissions of these ids, as they are read
   */
  async of(principal: Principal, ids: readonly Buffer[], pieces: AsyncIterable<InboxEntry[]>): Promise<InboxRow[]> {
    const [found, held, failed, waiting] = await Promise.all([
      this.marked(principal, pieces),
      this.verdicts.heldAmong(ids),
      this.deliveries.failedAmong(principal, ids),
      this.optIns.waitingAmong(ids),
    ]);
    const waits = new Set(waiting.map(keyOf));
    const assigned = found.map(({ assigneeId }) => assigneeId).filter((id) => id !== null);
    const people = await this.assignees.named(principal, [...new Set(assigned)]);
    return found.map(({ key, row, assigneeId }) => ({
      ...row,
      held: held.has(key),
      waits: waits.has(key),
      failed: failed.has(key),
      assignee: assigneeId === null ? null : nameOf(people.get(assigneeId)),
    }));
  }

  /** Makes of submissions what their rows show, as they come: their values may be long. */
  private async marked(principal: Principal, pieces: AsyncIterable<InboxEntry[]>) {
    const found: { shown: ReturnType<typeof shownOf>; submission: Markable }[] = [];
    for await (const some of pieces) {
      for (const entry of some) {
        const { id, formId, done } = entry.submission;
        found.push({ shown: shownOf(entry), submission: { id, formId, done } });
      }
    }
    const submissions = found.map(({ submission }) => submission);
    const marks = await this.triage.marksOf(principal, submissions);
    return found.flatMap(({ shown, submission }, index) => {
      const own = marks[index];
      if (!own) return [];
      const { assigneeId, ...others } = own;
      return [{ key: keyOf(submission.id), row: { ...shown, ...others }, assigneeId }];
    });
  }
}

function shownOf({ form, submission, files }: InboxEntry) {
  return {
    id: formatUuid(submission.id),
    form: { name: form.name, identifier: form.identifier },
    receivedAt: timeOf(submission.id),
    ...previewOf(submission.lines, form.previewFields),
    files: files.length,
  };
}

/** Returns what somebody is called here who may be unknown to who asks. */
export function nameOf(person: Colleague | undefined) {
  return person?.name ?? rowWords.somebody;
}

/** Returns the names of the fields in submissions, each once, in the order in which they were sent. */
export function valueFieldsOf(found: readonly SubmissionInFull[]): string[] {
  return unique(found.flatMap(({ submission }) => namesIn(submission)));
}

/** Returns the same with the fields of files. */
export function fieldsSent(found: readonly SubmissionInFull[]): string[] {
  return unique(found.flatMap(({ submission, files }) => [...namesIn(submission), ...files.map(({ field }) => field)]));
}

function namesIn({ values }: SubmissionInFull['submission']) {
  return values.toText().map(({ name }) => name);
}

function unique(names: string[]) {
  return [...new Set(names)];
}
