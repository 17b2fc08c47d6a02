// Shows a submission beside its list where there is room. Both are the pages that they are by themselves: without room
// one leads to the other.
import { load, look, lookOf, renewList } from './live.js';

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
/** Buttons and forms that are being sent. */
const sending = new Set<HTMLElement>();
/** Title of the list. */
let listTitle = document.title;

/** Says what is under way; `fcs:idle` tells of its end. */
export function working(): 'sends' | 'opens' | null {
  return sending.size > 0 ? 'sends' : opening > 0 ? 'opens' : null;
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
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
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
  document.dispatchEvent(new Event('htmx:after:swap'));
}

function showFlash(page: Document): void {
  const [shown, flash] = [document, page].map((each) => each.querySelector('.flash'));
  if (shown && flash?.isEqualNode(shown)) return;
  shown?.remove();
  if (flash) inbox()?.before(document.importNode(flash, true));
}

/** Opens a submission beside the list. */
export async function open(address: string): Promise<void> {
  mark(new URL(address, location.href).pathname);
  opening++;
  await ask(address);
  opening--;
  tellWhenIdle();
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

/** Sends a form of what is open, and shows what comes of it; what is undone opens again. */
async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  const sent = new FormData(form, submitter);
  const body = new URLSearchParams();
  for (const [name, value] of sent) if (typeof value === 'string') body.append(name, value);
  if (!(await ask(form.action, { method: 'POST', body }))) return;
  const undone = form.matches('[data-undo]') ? sent.get('id') : null;
  const row = rows().find(({ id }) => typeof undone === 'string' && id === `s-${undone}`);
  if (row && !pane()) await open(row.href);
  const list = inbox();
  if (!pane() || !list) return;
  const number = last;
  await look([list]);
  renewList();
  if (number === last) (mark(location.pathname) ?? pane())?.focus({ preventScroll: true });
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
    history.pushState(null, '', inbox()?.dataset.from);
    close();
  } else if (link.matches('#list a.row') || (isInPane && link.matches('.neighbours a'))) {
    event.preventDefault();
    void open(link.href).then(() => pane()?.focus({ preventScroll: true }));
  }
});
document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!pane() || !form.matches('#submission form, form[data-undo]')) return;
  event.preventDefault();
  const pressed = event.submitter ?? form;
  // The second click of two means what was there at the first.
  if (sending.has(pressed)) return;
  sending.add(pressed);
  void send(form, event.submitter).finally(() => {
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
