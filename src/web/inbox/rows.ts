import { formatUuid, timeOf } from '../../platform/kernel/uuid.js';
import type { InboxEntry } from '../../submissions/inbox.service.js';
import type { InboxRow } from './inbox.page.js';
import { previewOf } from './preview.js';

/** Submissions on a page of a list. */
export const ROWS = 50;

/** Returns what a list shows of submissions that are read some at a time. */
export async function rowsOf(pieces: AsyncIterable<InboxEntry[]>): Promise<InboxRow[]> {
  const rows: InboxRow[] = [];
  for await (const some of pieces) rows.push(...some.map(rowOf));
  return rows;
}

function rowOf({ form, submission, files }: InboxEntry): InboxRow {
  return {
    id: formatUuid(submission.id),
    form: { name: form.name, identifier: form.identifier },
    receivedAt: timeOf(submission.id),
    ...previewOf(submission.values.toText()),
    files: files.length,
  };
}
