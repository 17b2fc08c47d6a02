import { oldIdIn, isIdOf, normaliseId, type Provider } from '../../../forms/aliases/old-address.js';
import { UnreadableMove } from '../model/move.errors.js';
import { FORMS_MAX, NOTHING_PLANNED, type PlannedForm } from '../model/planned-form.js';
import type { Field } from '../../../forms/model/field.js';
import { parseEmailAddress, jsonShape } from '../../../platform/index.js';

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

function plain(cell: string) {
  return cell
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
}

/** Levels and values of a file for more forms than are made of it. */
const LEVELS_MAX = 20;
const VALUES_MAX = 50_000;

/**
 * Reads the file that the command line of Formspree deploys: `{"forms":{"contact":{"name":…,"fields":…,"actions":…}}}`.
 * @param project whose pages name the forms by these keys; null where they do not
 * @throws UnreadableMove
 */
export function readFormspreeJson(text: string, project: string | null): PlannedForm[] {
  const forms = formsIn(text);
  if (!isRecord(forms)) {
    throw new UnreadableMove('This is no formspree.json: it has no object "forms".');
  }
  return Object.entries(forms).map(([key, form]) => {
    const { name, fields, actions } = isRecord(form) ? form : {};
    return {
      ...NOTHING_PLANNED,
      name: typeof name === 'string' && name.trim() !== '' ? name.trim() : key,
      provider: 'formspree',
      old: project === null ? null : { provider: 'formspree', value: `${project}/${key}` },
      fields: isRecord(fields) ? Object.entries(fields).map(fieldOf) : [],
      emails: emailsIn(actions),
    };
  });
}

function formsIn(text: string) {
  const { depth, values } = jsonShape(text);
  if (depth > LEVELS_MAX || values > VALUES_MAX) {
    throw new UnreadableMove(`The file has more than ${LEVELS_MAX} levels or ${VALUES_MAX} values. Split it.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value.forms : null;
  } catch {
    throw new UnreadableMove('This is no JSON.');
  }
}

/** The kinds that the file names; all others are texts. */
const KINDS = ['email', 'url', 'number'] as const;

function fieldOf([name, said]: [string, unknown]): Field {
  const { type, required } = isRecord(said) ? said : {};
  const kind = KINDS.find((each) => each === type) ?? 'text';
  return { name, kind, ...(required === true && { required }) };
}

/** Returns the addresses that get mails; the environment's (`$EMAIL`) are not known here. */
function emailsIn(actions: unknown) {
  const all = Array.isArray(actions) ? actions.filter(isRecord) : [];
  const emails = all.flatMap(({ type, to }) => {
    const address = type === 'email' && typeof to === 'string' ? parseEmailAddress(to) : null;
    return address === null ? [] : [address];
  });
  return emails.length === 0 ? null : emails.join(',');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
