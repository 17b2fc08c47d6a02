// Shows in the same frame what is done with submissions of a list, and says it in one request: the list is not asked
// for again. What was refused stands as it did before, with the reason.
import { pageOf } from './pages.js';
import { noteAct, place, take } from './live.js';

/** Rows that were taken away, by id: what is undone puts them back. */
const gone = new Map<string, Element>();
/** Acts go out in their order. */
let sent: Promise<unknown> = Promise.resolve();
let unsent = 0;

const ADDRESS = '/inbox/bulk';
const inbox = () => document.querySelector<HTMLElement>('#inbox');
export const rowOf = (id: string) => document.getElementById(`s-${id}`)?.closest('tr') ?? null;
/** Says whether something was done that the service does not know yet. */
export const isSending = () => unsent > 0;

type Fields = readonly (readonly [string, string])[];

/** Returns what a row says of a tag or an assignee that it gets; null for another act. */
function chipOf(fields: Fields): HTMLElement | null {
  const { add_tag: tag, assign, assignee, ...others } = Object.fromEntries(fields);
  const option = document.querySelector(`.bulk-actions option[value="${assignee}"]`);
  const me = document.querySelector('.person summary span');
  const name = assign === 'me' ? me : assign && assignee ? option : null;
  const text = others.tag ? tag : name?.textContent;
  if (!text) return null;
  const className = `chip${name ? ' assignee' : ''}`;
  return Object.assign(document.createElement('span'), { className, textContent: text });
}

/** Tells whether a row leaves the list by what is done first, as the buttons of the list say. */
export function leaves([[name, value] = ['', ''] as const]: Fields): boolean {
  const same = `.bulk-actions button[name="${name}"][value="${value}"]`;
  return document.querySelector(same)?.matches('[data-leaves]') === true;
}

/** Draws a row as it is after an act. */
function change(row: Element, id: string, fields: Fields): void {
  const [[name, value] = ['', ''] as const] = fields;
  if (leaves(fields)) {
    gone.set(id, row);
    row.remove();
    return;
  }
  if (name === 'read') row.classList.toggle('unread', value === 'false');
  const chip = chipOf(fields);
  if (chip?.matches('.assignee')) row.querySelector('.assignee')?.remove();
  if (chip) row.querySelector('.sender')?.append(chip);
  const sign = row.querySelector(`.sign.${name}`);
  const icon = document.querySelector(`:is(.bulk-actions, #marks) button[name="${name}"] .icon`);
  if (value === 'false') sign?.remove();
  else if (!sign && icon && ['starred', 'answered', 'done'].includes(name)) {
    const mark = document.createElement('span');
    mark.className = `sign ${name}`;
    mark.append(icon.cloneNode(true));
    row.querySelector('.sender')?.append(mark);
  }
}

/** Says what went wrong. */
function complain(text: string): void {
  for (const each of document.querySelectorAll('.flash')) each.remove();
  const notice = document.createElement('div');
  notice.className = 'notice bad flash';
  notice.role = 'alert';
  notice.append(Object.assign(document.createElement('p'), { textContent: text }));
  inbox()?.before(notice);
}

/**
 * Does something with submissions of the list.
 * @param fields what is done first, as the buttons of the list send it
 * @returns once it was said
 */
export function act(ids: readonly string[], fields: Fields): Promise<void> {
  const isUndone = fields.some(([name]) => name === 'undone');
  const before = ids.flatMap((id) => rowOf(id) ?? []).map((row) => [row, row.cloneNode(true)] as const);
  for (const id of ids) {
    const row = isUndone ? gone.get(id) : rowOf(id);
    if (row && isUndone) place(row);
    else if (row) change(row, id, fields);
  }
  unsent++;
  const said = sent
    .then(() => say(ids, fields))
    .catch((error: unknown) => {
      for (const [row, was] of before) {
        row.remove();
        place(was as Element);
      }
      complain((error as Error).message);
    });
  sent = said.finally(() => unsent--);
  return sent as Promise<void>;
}

async function say(ids: readonly string[], fields: Fields): Promise<void> {
  const { q = '', before = '', failed = '' } = inbox()?.dataset ?? {};
  const rows = [...document.querySelectorAll('#list a.row')].map(({ id }) => id.slice(2));
  const body = new URLSearchParams(fields.map(([name, value]) => [name, value]));
  if (!body.has('id')) for (const id of ids) body.append('id', id);
  for (const [name, value] of Object.entries({ q, before, shown: [...rows, ...ids].join() })) body.set(name, value);
  noteAct();
  const headers = { 'HX-Request': 'true' };
  const answer = await fetch(ADDRESS, { method: 'POST', headers, body }).catch(() => null);
  if (!answer) throw new Error(failed);
  noteAct();
  const page = await pageOf(answer);
  if (answer.ok) take(page, ids);
  else throw new Error(page.querySelector('h1')?.textContent ?? failed);
}
