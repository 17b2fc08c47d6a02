import { oldIdIn } from '../../aliases/old-address.js';
import { isIdOf, normaliseId, type Provider } from '../../aliases/provider.js';
import { UnreadableMove } from '../model/move.errors.js';
import { NOTHING_PLANNED, type PlannedForm } from '../model/planned-form.js';

/** Names of the first column in a heading. */
const HEADING = /^(?:id|form|form[ _]?id|key|address|url|hashid)$/i;

/**
 * Reads a line for each form: its id or its old address, and its name behind a comma, a semicolon or a tab.
 * @param provider of ids that stand alone; null where each line has an address
 * @throws UnreadableMove naming the first line that is neither
 */
export function readIdLines(text: string, provider: Provider | null): PlannedForm[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .flatMap((line, index) => {
      const [first = '', ...rest] = line.split(/[,;\t]/).map(plain);
      if (first === '' || (index === 0 && HEADING.test(first))) return [];
      const value = normaliseId(first);
      const named = provider && isIdOf(provider, value) ? { provider, value } : null;
      const old = oldIdIn(first) ?? named;
      if (!old) throw new UnreadableMove(`Line ${index + 1} has no id: “${first.slice(0, 64)}”.`);
      const name = rest.find((cell) => cell !== '') ?? old.value;
      return [{ ...NOTHING_PLANNED, name, provider: old.provider, old }];
    });
}

function plain(cell: string): string {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}
