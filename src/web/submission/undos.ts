import { formatUuid } from '../../platform/kernel/uuid.js';
import type { Undo } from '../layout/flash.js';
import { NEW } from '../addresses/folders.js';

/** Values that a button sent, by name. */
type Sent = Record<string, boolean>;

/** Returns the form that takes back what made the submission leave its list. */
export function undoInList(sent: Sent, id: Buffer, line: string | null): Undo {
  const rest: Undo['fields'] = [
    ['undone', 'true'],
    ['q', line ?? NEW],
    ['id', formatUuid(id)],
  ];
  return { action: '/inbox/bulk', fields: [...opposite(sent), ...rest] };
}

/** Returns the form that takes a change back, and comes back to its page. */
export function undoHere(sent: Sent, action: string, line: string | null): Undo {
  const rest: Undo['fields'] = line === null ? [] : [['q', line]];
  return { action, fields: [...opposite(sent), ['undone', 'true'], ...rest] };
}

function opposite(sent: Sent): Undo['fields'] {
  return Object.entries(sent).map(([name, value]) => [name, String(!value)]);
}
