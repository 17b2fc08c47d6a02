import type { Principal } from '../../access/principal.js';
import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import type { InboxEntry } from '../../submissions/inbox.service.js';
import type { ListedMarks, TriageService } from '../../submissions/triage/triage.service.js';
import type { InboxRow } from './submission-table.js';
import { previewOf } from '../../submissions/values/preview.js';

/** Submissions on a page of the inbox. */
export const ROWS = 50;

/** Returns the rows of submissions that are read in pieces. */
export async function rowsOf(
  triage: TriageService,
  principal: Principal,
  pieces: AsyncIterable<InboxEntry[]>,
): Promise<InboxRow[]> {
  const rows: InboxRow[] = [];
  for await (const some of pieces) {
    const marks = await triage.marksOf(
      principal,
      some.map(({ submission }) => submission),
    );
    rows.push(...some.flatMap((entry, index) => rowOf(entry, marks[index])));
  }
  return rows;
}

function rowOf(
  { form, submission, files }: InboxEntry,
  marks: ListedMarks | undefined,
): InboxRow[] {
  if (!marks) return [];
  return [
    {
      ...marks,
      id: formatUuid(submission.id),
      form: { name: form.name, identifier: form.identifier },
      receivedAt: timeOf(submission.id),
      ...previewOf(submission.values.toText()),
      files: files.length,
    },
  ];
}
