import { oldIdIn } from '../../aliases/old-address.js';
import { isIdOf, normaliseId, type Provider } from '../../aliases/provider.js';
import { UnreadableMove } from '../model/move.errors.js';
import { FORMS_MAX, NOTHING_PLANNED, type PlannedForm } from '../model/planned-form.js';

/** Cells of a line in which its name is looked for. */
const CELLS_MAX = 50;
/** Names of the first column in a heading. */
const HEADING = /^(?:id|form|form[ _]?id|key|address|url|hashid)$/i;

/**
 * Reads a line for each form: its id or its old address, and its name behind a comma, a semicolon or a tab.
 * @param provider of ids that stand alone; null where each line has an address
 * @returns more than FORMS_MAX forms where the text has more
 * @throws UnreadableMove naming the first line that is neither
 */
export function readIdLines(text: string, provider: Provider | null): PlannedForm[] {
  const found: PlannedForm[] = [];
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (line === '') continue;
    const [first = '', ...rest] = line.split(/[,;\t]/, CELLS_MAX).map(plain);
    if (first === '' || (index === 0 && HEADING.test(first))) continue;
    const value = normaliseId(first);
    const named = provider && isIdOf(provider, value) ? { provider, value } : null;
    const old = oldIdIn(first) ?? named;
    if (!old) throw new UnreadableMove(`Line ${index + 1} has no id: “${first.slice(0, 64)}”.`);
    const name = rest.find((cell) => cell !== '') ?? old.value;
    found.push({ ...NOTHING_PLANNED, name, provider: old.provider, old });
    if (found.length > FORMS_MAX) break;
  }
  return found;
}

function plain(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}
