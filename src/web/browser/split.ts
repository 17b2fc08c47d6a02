// Shows a submission beside its list where there is room. Both are the pages that they are by themselves: without room
// one leads to the other.
import { act, isSending, leaves, rowOf } from './acts.js';
import { load, pageOf } from './pages.js';
import { look, lookOf, showFlash } from './live.js';

const ROOM = matchMedia('(width >= 1000px)');

const inbox = () => document.querySelector<HTMLElement>('#inbox');
/** Returns the submission that is open beside its list; null for none. */
export const pane = () => document.querySelector<HTMLElement>('#inbox ~ #submission');
/** Says whether a row opens beside the list. */
export const isSplit = () => inbox() !== null && (ROOM.matches || pane() !== null);
export const rows = () => [...document.querySelectorAll<HTMLAnchorElement>('a.row')];
export const openRow = () => document.querySelector<HTMLAnchorElement>('a.row[aria-current]');

/** Number of the last request: the answer to an earlier one comes too late. */
let last = 0;
/** Submissions that are being opened. */
let opening = 0;
/** Address of what is to be opened once the service knows what was done; '' for what takes its place in the list. */
let next: string | null = null;
/** Buttons and forms that are being sent. */
const sending = new Set<HTMLElement>();
/** Title of the list. */
let listTitle = document.title;

/** Says what is under way; `fcs:idle` tells of its end. */
export function working(): 'sends' | 'acts' | 'opens' | null {
  return sending.size > 0 ? 'sends' : isSending() ? 'acts' : opening > 0 ? 'opens' : null;
}

function tellWhenIdle(): void {
  if (!working()) dispatchEvent(new Event('fcs:idle'));
}

/** Marks the row of an address as the open one. */
function mark(pathname: string): HTMLAnchorElement | undefined {
  openRow()?.removeAttribute('aria-current');
  const row = rows().find((each) => each.pathname === pathname);
  row?.setAttribute('aria-current', 'true');
  row?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  return row;
}

/** Asks for a page and shows it. @returns false when something else was asked for since */
async function ask(address: string, init: RequestInit = {}): Promise<boolean> {
  const number = ++last;
  try {
    const answer = await fetch(address, { ...init, headers: lookOf(pane()) });
    const page = await pageOf(answer);
    if (number === last) show(page, answer);
  } catch {
    location.reload();
  }
  return number === last;
}

/** Shows what is on a page of a submission or of the list; any other one takes the place of this page. */
function show(page: Document, { ok, redirected, url }: Response): void {
  const fresh = page.querySelector<HTMLElement>('#submission, #inbox');
  const list = inbox();
  if (!fresh || !list) {
    if (redirected) location.assign(url);
    else document.body.replaceWith(document.importNode(page.body, true));
    return;
  }
  const next = document.importNode(fresh, true);
  const open = pane();
  if (next.id === 'inbox') {
    listTitle = page.title;
    list.replaceWith(next);
    open?.remove();
  } else if (open) {
    open.replaceWith(next);
    if (open.dataset.from === next.dataset.from) next.scrollTop = open.scrollTop;
  } else list.after(next);
  showFlash(page);
  document.title = page.title;
  // What was typed and breaks a rule is shown at no address of its own.
  if (ok && url !== location.href) history[open ? 'replaceState' : 'pushState'](null, '', url);
  mark(location.pathname);
  document.dispatchEvent(new Event('fcs:shown'));
}

/** Opens a submission beside the list. */
export async function open(address: string): Promise<void> {
  mark(new URL(address, location.href).pathname);
  opening++;
  await ask(address);
  opening--;
  tellWhenIdle();
}

/** Goes back to the list alone. */
function leave(): void {
  history.pushState(null, '', inbox()?.dataset.from);
  close();
}

/** Leaves the list alone; the focus goes back to the row that was open. */
function close(): void {
  const row = openRow();
  pane()?.remove();
  row?.removeAttribute('aria-current');
  row?.focus();
  last++;
  document.title = listTitle;
  document.dispatchEvent(new Event('fcs:closed'));
}

/** Sends a form of what is open, and shows what comes of it; its list hears of it. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const body = new URLSearchParams(fieldsOf(form, submitter));
  if (await ask(form.action, { method: 'POST', body })) {
    (mark(location.pathname) ?? pane())?.focus({ preventScroll: true });
  }
}

/** Submissions, and what is done with them. */
interface Done {
  ids: string[];
  fields: [string, string][];
}

function fieldsOf(form: HTMLFormElement, submitter: HTMLElement | null): [string, string][] {
  return [...new FormData(form, submitter)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
}

/** Returns what a form does with submissions of the list, as the list sends it; null for what has a page of its own. */
function actOf(form: HTMLFormElement, submitter: HTMLButtonElement | null): Done | null {
  const fields = fieldsOf(form, submitter);
  const values = (name: string) => fields.filter(([each]) => each === name).map(([, value]) => value);
  if (form.matches('[data-undo]')) {
    const ids = [...values('id'), ...values('was').map((was) => was.split('.')[0] ?? '')];
    return form.matches('[action="/inbox/bulk"]') ? { ids, fields } : null;
  }
  if (form.matches('.bulk')) {
    const isElsewhere = ['export', 'every'].some((name) => values(name).length > 0);
    // Enter beside a tag means that tag, and no other button.
    const isTag = document.activeElement?.matches('[name="add_tag"]') === true;
    const { name = '', value = '' } = isTag ? { name: 'tag', value: 'true' } : (submitter ?? {});
    const more = fields.filter(([each]) => ['add_tag', 'assignee'].includes(each));
    const ids = values('id');
    return isElsewhere || ids.length === 0 ? null : { ids, fields: [[name, value], ...more] };
  }
  const path = openRow()?.pathname ?? new URL(pane()?.dataset.from ?? '', location.href).pathname;
  const ids = path.split('/').slice(-1);
  if (form.matches('#submission [action$="/assignee"]')) {
    const assignee = values('me')[0] ?? values('person')[0] ?? '';
    return {
      ids,
      fields: [
        ['assign', 'chosen'],
        ['assignee', assignee],
      ],
    };
  }
  const isMark = form.matches('#submission :is([action$="/marks"], [action$="/read"])');
  return isMark ? { ids, fields: fields.filter(([name]) => name !== 'q') } : null;
}

/** Does something with submissions of the list, and moves on from those that one is done with. */
async function doAct({ ids, fields }: Done, isOfPane: boolean): Promise<void> {
  const [[name, value] = ['', '']] = fields;
  const isUndone = fields.some(([each]) => each === 'undone');
  const list = rows();
  const isActed = ({ id }: Element) => ids.includes(id.slice(2));
  const last = list.findLastIndex(isActed);
  const isLeft = (row: Element) => !isActed(row);
  const near = list.slice(last + 1).find(isLeft) ?? list.slice(0, Math.max(last, 0)).findLast(isLeft);
  const link = pane()?.querySelector<HTMLAnchorElement>('.neighbours a[rel="next"], .neighbours a');
  for (const id of ids) {
    const box = rowOf(id)?.querySelector('input');
    if (box) box.checked = false;
  }
  const goesOn = isOfPane && value === 'true' && ['done', 'spam', 'trash'].includes(name);
  if (goesOn) next = (last < 0 ? link?.href : near?.href) ?? '';
  if (goesOn) pane()?.setAttribute('aria-busy', 'true');
  if (goesOn && next) mark(new URL(next).pathname);
  if (isOfPane && name === 'read') leave();
  // The focus goes first: taken from it, a row would have the page laid out twice.
  const isInRow = list.some((row) => isActed(row) && row.closest('tr')?.contains(document.activeElement));
  if (isOfPane) (openRow() ?? near)?.focus({ preventScroll: true });
  else if (isInRow && leaves(fields)) near?.focus({ preventScroll: true });
  await act(ids, fields);
  if (isUndone && pane()) next = rowOf(ids[0] ?? '')?.querySelector('a')?.href ?? null;
  if (!isSending()) await settle(ids);
}

/** Shows beside the list what is meant by now. */
async function settle(changed: readonly string[]): Promise<void> {
  const shown = pane();
  const address = next === '' ? rows()[0]?.href : next;
  const isOver = next === '' && !address;
  next = null;
  if (!shown) return;
  if (address) await open(address);
  else if (isOver) leave();
  else if (changed.some((id) => shown.dataset.from?.includes(id))) await look([shown]);
}

/** Puts the list that a submission was opened from beside it. */
async function addList(): Promise<void> {
  const alone = document.querySelector<HTMLElement>('#submission[data-list]');
  if (!alone || inbox() || !ROOM.matches) return;
  const page = await load(alone.dataset.list);
  const list = page?.querySelector('#inbox');
  if (!page || !list || !alone.isConnected || inbox()) return;
  listTitle = page.title;
  alone.before(document.importNode(list, true));
  mark(location.pathname);
}

document.addEventListener('click', (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = (target as Element).closest('a');
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey || altKey || !isSplit()) return;
  const isInPane = pane()?.contains(link) === true;
  if (isInPane && link.matches('.up')) {
    event.preventDefault();
    leave();
  } else if (link.matches('#list a.row') || (isInPane && link.matches('.neighbours a'))) {
    event.preventDefault();
    void open(link.href).then(() => pane()?.focus({ preventScroll: true }));
  }
});
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  const submitter = event.submitter as HTMLButtonElement | null;
  const done = inbox() && actOf(form, submitter);
  if (done) {
    event.preventDefault();
    void doAct(done, form.matches('#submission form')).finally(tellWhenIdle);
    return;
  }
  if (!pane() || !form.matches('#submission form, form[data-undo]')) return;
  event.preventDefault();
  const pressed = submitter ?? form;
  // The second click of two means what was there at the first.
  if (sending.has(pressed)) return;
  sending.add(pressed);
  void send(form, submitter).finally(() => {
    sending.delete(pressed);
    tellWhenIdle();
  });
});
document.addEventListener('keydown', ({ key, target }) => {
  if (key !== 'Escape' || !pane() || document.querySelector('dialog[open]')) return;
  const row = openRow();
  if (row && pane()?.contains(target as Node)) row.focus();
  else pane()?.querySelector<HTMLElement>('.up')?.click();
});
addEventListener('popstate', () => {
  const [list, here] = [inbox(), location.pathname + location.search];
  if (!list || pane()?.dataset.from === here) return;
  if (rows().some((row) => row.getAttribute('href') === here)) void open(here);
  else if (list.dataset.from === here) close();
  else location.reload();
});
ROOM.addEventListener('change', () => void addList());
void addList();
