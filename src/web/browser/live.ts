// Keeps what a page shows up to date, without moving what one reads. Every page is right without it.

import { load, replace } from './pages.js';

/** Name of the lock and the channel that the tabs of a browser share. */
const NAME = 'fcs-events';
const TOPICS = ['submissions', 'changes', 'presence'];
/** Shortest time between two looks, in milliseconds. */
const PAUSE_MS = 1_000;
/** Time after which a stream that was refused is asked for again, in milliseconds. */
const REFUSED_MS = 60_000;

/** How long after an act events of one's own tell of it, in milliseconds. */
const OWN_MS = 5_000;

/** An event with its form. */
interface Told {
  form: string;
  topic: string;
  /** Whether nobody but who looks here made it. */
  own?: boolean;
}

const channel = new BroadcastChannel(NAME);
/** Ends the stream of this tab, or the wait for it; null while it has neither. */
let letGo: (() => void) | null = null;
let timer = 0;
/** When this page acted last: it shows by itself what that changed. */
let acted = -OWN_MS;
/** Whether the look that is to come is for lists too. */
let withLists = false;
/** The page of the list as it was at the last look. */
let latest: Document | null = null;

const idsIn = (part: ParentNode) =>
  new Map([...part.querySelectorAll<HTMLElement>('#list a.row')].map((row) => [row.id, row.closest('tr')]));
const newOnes = () => document.querySelector<HTMLButtonElement>('[data-new] button');
/** Returns the parts of this page that are kept up to date, each by the page that it is from. */
const parts = () => [...document.querySelectorAll<HTMLElement>('[data-look]')];

/** Returns what says that a look at the submission of this part goes on, so that it is not noted again. */
export function lookOf(part: HTMLElement | null): Record<string, string> {
  const looked = part?.dataset.looked;
  return looked === undefined ? {} : { 'Fcs-Look': looked };
}

/** Looks once soon, however much changes meanwhile. @param isOfList whether a list may show it */
function lookSoon(isOfList = true): void {
  withLists ||= isOfList;
  timer ||= setTimeout(() => {
    const seen = parts().filter(({ id }) => withLists || id === 'submission');
    withLists = false;
    void look(seen).finally(() => (timer = 0));
  }, PAUSE_MS);
}

/** Tells that this page acts, so that it does not look at what it shows already. */
export function noteAct(): void {
  acted = performance.now();
}

function hear({ form, topic, own }: Told): void {
  if (own && performance.now() - acted < OWN_MS) return;
  const isOfList = topic !== 'presence';
  const isShown = parts().some(
    ({ id, dataset: { look } }) => (isOfList || id === 'submission') && (look === '' || look === form),
  );
  if (!document.hidden && isShown) lookSoon(isOfList);
}

/** Renews what changed in the parts of this page; the title is that of the last. */
export async function look(seen = parts()): Promise<void> {
  for (const part of seen) {
    const page = await load(part.dataset.from, lookOf(part));
    if (!page || !part.isConnected) continue;
    freshen(part, page);
    if (part.querySelector('#list')) compareLists((latest = page));
  }
}

/** Renews the parts that say that they change. */
function freshen(part: HTMLElement, page: Document): void {
  document.title = page.title;
  for (const each of part.querySelectorAll('[data-fresh]')) {
    const fresh = page.getElementById(each.id);
    if (fresh && htmlOf(fresh) !== htmlOf(each)) replace(each, fresh);
  }
}

/** Shows what the answer to an act has of the list: counts, the rows that were changed, and those that fill its end. */
export function take(page: Document, changed: readonly string[]): void {
  const list = document.querySelector<HTMLElement>('#inbox');
  if (!list || !page.querySelector('#list')) return;
  freshen(list, page);
  latest = null;
  compareLists(page, changed);
  const [here, there] = [document, page].map((each) => each.querySelector('#list'));
  if (here && there && idsIn(document).size === 0) replace(here, there);
  showFlash(page);
}

/** Shows the sentence that a page says once, and its way to take back what was done. */
export function showFlash(page: Document): void {
  const said = '.flash, form[data-undo]:not(.flash *)';
  const isNews = page.querySelector('.flash') !== null;
  // What was just said stays for its time.
  if (!isNews && document.querySelector('.flash [data-undo]')) return;
  for (const each of document.querySelectorAll(said)) if (isNews || !each.matches('.flash')) each.remove();
  const fresh = [...page.querySelectorAll(said)].map((each) => document.importNode(each, true));
  document.querySelector('#inbox')?.before(...fresh);
}

/** Puts a row where its time is; ids rise with it. */
export function place(row: Element): void {
  const body = document.querySelector('#list tbody');
  const idOf = (of: Element) => of.querySelector('a.row')?.id ?? '';
  const below = [...(body?.children ?? [])].find((each) => idOf(each) < idOf(row));
  body?.insertBefore(row, below ?? null);
}

/** Returns the markup of a part, whichever of its menus is open. */
const htmlOf = (part: Element) => part.outerHTML.replaceAll(' open=""', '');

/** Leaves the rows that are ticked or open so in a list that replaces theirs. */
function carry(from: ParentNode, to: ParentNode): void {
  const fresh = idsIn(to);
  for (const [id, row] of idsIn(from)) {
    const next = fresh.get(id);
    const box = next?.querySelector('input');
    if (box) box.checked = row?.querySelector('input')?.checked ?? false;
    const isOpen = row?.querySelector('a.row[aria-current]');
    if (isOpen) next?.querySelector('a.row')?.setAttribute('aria-current', 'true');
  }
}

/**
 * Renews the rows that are shown, and counts those that are not: they wait until they are asked for.
 * @param changed ids of those that were acted on, on a page that has these alone and what is not shown
 */
function compareLists(page: Document, changed?: readonly string[]): void {
  carry(document, page);
  const fresh = idsIn(page);
  const oldest = [...fresh.keys()].at(-1) ?? '';
  const shown = idsIn(document);
  for (const [id, row] of shown) {
    const next = fresh.get(id);
    if (row && next && next.outerHTML !== row.outerHTML) replace(row, next);
    // Ids rise with time: what is older was pushed off the page, what is not has left the list.
    if (!next && changed) {
      if (changed.includes(id.slice(2))) row?.remove();
    } else if (!next && id > oldest) row?.classList.add('left');
  }
  for (const [id, row] of fresh) {
    const isMeant = changed?.includes(id.slice(2)) ?? false;
    if (changed && row && !shown.has(id) && (isMeant || !isNewer(id, shown))) place(document.importNode(row, true));
  }
  const count = [...fresh.keys()].filter(
    (id) => !shown.has(id) && isNewer(id, shown) && !changed?.includes(id.slice(2)),
  ).length;
  const button = newOnes();
  const text = button?.querySelector('span');
  if (!button || !text || count === 0) return;
  text.textContent = String(count);
  button.hidden = false;
}

/** Tells a row that came from one that moved up from the next page. */
function isNewer(id: string, shown: Map<string, unknown>): boolean {
  const [newest = ''] = shown.keys();
  return id > newest;
}

/** Shows the list as it was at the last look, or as it is when something was done since. */
async function renewList(): Promise<void> {
  const list = document.querySelector('#list');
  latest ??= await load(document.querySelector<HTMLElement>('#inbox')?.dataset.from);
  const fresh = latest?.querySelector('#list');
  if (!list || !fresh) return;
  carry(list, fresh);
  list.replaceWith(document.importNode(fresh, true));
  newOnes()?.toggleAttribute('hidden', true);
  document.dispatchEvent(new Event('fcs:shown'));
}

/** Opens the stream, which tells the other tabs too. @returns when it is let go */
function listen(end: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const source = new EventSource('/events');
    for (const topic of TOPICS) {
      source.addEventListener(topic, ({ data }: MessageEvent<string>) => {
        const told = { ...(JSON.parse(data) as { form: string }), topic };
        channel.postMessage(told);
        hear(told);
      });
    }
    source.addEventListener('error', () => {
      if (source.readyState === source.CLOSED) setTimeout(done, REFUSED_MS);
    });
    end.addEventListener('abort', () => {
      source.close();
      done();
    });
  });
}

/** Waits until no other tab has the stream, and opens it. */
async function hold(): Promise<void> {
  const end = new AbortController();
  letGo = () => {
    end.abort();
    letGo = null;
  };
  while (!end.signal.aborted) {
    // Browsers have locks where the page came by https or from the machine itself.
    const { locks } = navigator as { locks?: LockManager };
    const held = locks ? locks.request(NAME, { signal: end.signal }, () => listen(end.signal)) : listen(end.signal);
    await held.catch(() => undefined);
  }
}

/** A tab that nobody sees needs no stream; seen again, it looks at what it has missed. */
function follow(isSeen: boolean): void {
  if (!isSeen) letGo?.();
  else if (!letGo) void hold();
}

channel.addEventListener('message', ({ data }: MessageEvent<Told>) => {
  hear(data);
});
document.addEventListener('visibilitychange', () => {
  follow(!document.hidden);
  if (!document.hidden) lookSoon();
});
addEventListener('pagehide', () => {
  follow(false);
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) follow(true);
});
document.addEventListener('click', ({ target }) => {
  if (!(target as Element).closest('[data-new] button')) return;
  void renewList().then(() => document.querySelector<HTMLElement>('#list a.row')?.focus());
});
follow(!document.hidden);
