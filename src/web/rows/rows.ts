import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import { OptIns } from '../../deliveries/holds/opt-ins.service.js';
import { DeliveryFates } from '../../deliveries/fates.service.js';
import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import { AssigneesService } from '../../triage/assignees/assignees.service.js';
import type { Colleague } from '../../triage/assignees/colleagues.js';
import { keyOf } from '../../submissions/rows/byte-pieces.js';
import type { InboxEntry } from '../../search/inbox/inbox.service.js';
import { TriageService, type Markable } from '../../triage/marks/triage.service.js';
import { VerdictsService } from '../../submissions/verdicts/verdicts.service.js';
import { previewOf } from '../../submissions/model/preview.js';
import { rowWords } from './words.js';
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
    private readonly optIns: OptIns,
  ) {}

  /**
   * Returns the rows of submissions.
   * @param pieces the submissions of these ids, as they are read
   */
  async of(
    principal: Principal,
    ids: readonly Buffer[],
    pieces: AsyncIterable<InboxEntry[]>,
  ): Promise<InboxRow[]> {
    const [found, held, failed, waiting] = await Promise.all([
      this.marked(principal, pieces),
      this.verdicts.heldAmong(ids),
      this.fates.failedAmong(principal, ids),
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
export function nameOf(person: Colleague | undefined): string {
  return person?.name ?? rowWords.somebody;
}
