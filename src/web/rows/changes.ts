import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { parseTag } from '../../submissions/filter/mark-names.js';
import { isTicked, textOf, type Typed } from '../parts/typed.js';

/** Boxes and buttons of the list that change a mark. */
const MARKS = ['read', 'starred', 'answered', 'done', 'spam', 'trash'] as const;

type Field = [name: string, value: string];

/** A change that was chosen, the fields that send it, and those of its opposite. */
export interface Chosen {
  changes: BulkChanges;
  fields: Field[];
  inverse: Field[];
}

const NOTHING: Chosen = { changes: {}, fields: [], inverse: [] };

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
    return { changes: { assignee }, fields, inverse: [] };
  }
  const name = MARKS.find((each) => typed && each in typed);
  if (name) {
    const value = isTicked(typed, name);
    const field = (sent: boolean): Field[] => [[name, String(sent)]];
    return { changes: { [name]: value }, fields: field(value), inverse: field(!value) };
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
      };
}
