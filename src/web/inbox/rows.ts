import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { DeliveryFates } from '../../deliveries/fates.service.js';
import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../submissions/assignees/assignees.service.js';
import type { Colleague } from '../../submissions/assignees/colleagues.js';
import { keyOf } from '../../submissions/byte-pieces.js';
import type { InboxEntry } from '../../submissions/inbox.service.js';
import { TriageService } from '../../submissions/triage/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { previewOf } from '../../submissions/values/preview.js';
import { words } from '../words.js';
import type { InboxRow } from './submission-table.js';

/** Submissions on a page of the inbox. */
export const ROWS = 50;

/** Makes the rows of lists. */
@Injectable()
export class InboxRows {
  constructor(
    private readonly triage: TriageService,
    private readonly assignees: AssigneesService,
    private readonly verdicts: VerdictsService,
    private readonly fates: DeliveryFates,
  ) {}

  /** Returns the rows of submissions that are read in pieces. */
  async of(principal: Principal, pieces: AsyncIterable<InboxEntry[]>): Promise<InboxRow[]> {
    // Made as they come, since their values may be long.
    const found: { row: Omit<InboxRow, 'assignee'>; assigneeId: number | null }[] = [];
    for await (const some of pieces) {
      const submissions = some.map(({ submission }) => submission);
      const ids = submissions.map(({ id }) => id);
      const [marks, held, failed] = await Promise.all([
        this.triage.marksOf(principal, submissions),
        this.verdicts.heldAmong(ids),
        this.fates.failedAmong(ids),
      ]);
      some.forEach((entry, index) => {
        const own = marks[index];
        if (!own) return;
        const key = keyOf(entry.submission.id);
        const { assigneeId, ...others } = own;
        const row = { ...shownOf(entry), ...others, held: held.has(key), failed: failed.has(key) };
        found.push({ row, assigneeId });
      });
    }
    const ids = found.map(({ assigneeId }) => assigneeId).filter((id) => id !== null);
    const people = await this.assignees.named(principal, [...new Set(ids)]);
    return found.map(({ row, assigneeId }) => ({
      ...row,
      assignee: assigneeId === null ? null : nameOf(people.get(assigneeId)),
    }));
  }
}

function shownOf({ form, submission, files }: InboxEntry) {
  return {
    id: formatUuid(submission.id),
    form: { name: form.name, identifier: form.identifier },
    receivedAt: timeOf(submission.id),
    ...previewOf(submission.texts, form.previewFields),
    files: files.length,
  };
}

/** Returns what somebody is called here who may be unknown to who asks. */
export function nameOf(person: Colleague | undefined): string {
  return person?.name ?? words.inbox.somebody;
}
