// Keeps what a page shows up to date, without moving what one reads. Every page is right without it.

import './presence.js';

/** Name of the lock and the channel that the tabs of a browser share. */
const NAME = 'fcs-events';
const TOPICS = ['submissions', 'changes', 'presence'];
/** Shortest time between two looks, in milliseconds. */
const PAUSE_MS = 1_000;
/** Time after which a stream that was refused is asked for again, in milliseconds. */
const REFUSED_MS = 60_000;

/** An event with its form. */
interface Told {
  form: string;
  topic: string;
}

const channel = new BroadcastChannel(NAME);
/** Ends the stream of this tab, or the wait for it; null while it has neither. */
let letGo: (() => void) | null = null;
let timer = 0;
/** Whether the look that is to come is for lists too. */
let withLists = false;
/** The page of the list as it was at the last look. */
let latest: Document | null = null;

const idsIn = (part: ParentNode) =>
  new Map(
    [...part.querySelectorAll<HTMLElement>('#list a.row')].map((row) => [
      row.id,
      row.closest('tr'),
    ]),
  );
const newOnes = () => document.querySelector<HTMLButtonElement>('[data-new] button');
/** Returns the parts of this page that are kept up to date, each by the page that it is from. */
const parts = () => [...document.querySelectorAll<HTMLElement>('[data-look]')];

/** Returns what says that a look at the submission of this part goes on, so that it is not noted again. */
export function lookOf(part: HTMLElement | null): Record<string, string> {
  const looked = part?.dataset.looked;
  return looked === undefined ? {} : { 'Fcs-Look': looked };
}

/** Returns a page of this service; null when it is refused, or leads elsewhere, which the next click says. */
export async function load(
  address = '',
  part: HTMLElement | null = null,
): Promise<Document | null> {
  const headers = { 'HX-Request': 'true', ...lookOf(part) };
  const answer = await fetch(address, { headers }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
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

function hear({ form, topic }: Told): void {
  const isOfList = topic !== 'presence';
  const isShown = parts().some(
    ({ id, dataset: { look } }) =>
      (isOfList || id === 'submission') && (look === '' || look === form),
  );
  if (!document.hidden && isShown) lookSoon(isOfList);
}

/** Renews what changed in the parts of this page; the title is that of the last. */
export async function look(seen = parts()): Promise<void> {
  for (const part of seen) {
    const page = await load(part.dataset.from, part);
    if (!page || !part.isConnected) continue;
    document.title = page.title;
    for (const each of part.querySelectorAll('[data-fresh]')) {
      const fresh = page.getElementById(each.id);
      if (fresh && htmlOf(fresh) !== htmlOf(each)) replace(each, fresh);
    }
    if (part.querySelector('#list')) compareLists((latest = page));
  }
}

/** Returns the markup of a part, whichever of its menus is open. */
const htmlOf = (part: Element) => part.outerHTML.replaceAll(' open=""', '');

/** Replaces a part; the focus stays at the same place in it. */
function replace(part: Element, fresh: Element): void {
  const places = (of: Element) => [...of.querySelectorAll<HTMLElement>('a, button, input')];
  const at = places(part).findIndex((each) => each === document.activeElement);
  const next = document.importNode(fresh, true);
  part.replaceWith(next);
  places(next)[at]?.focus();
}

/** Leaves the rows that are ticked or open so in a list that replaces theirs. */
export function carry(from: ParentNode, to: ParentNode): void {
  const fresh = idsIn(to);
  for (const [id, row] of idsIn(from)) {
    const next = fresh.get(id);
    const box = next?.querySelector('input');
    if (box) box.checked = row?.querySelector('input')?.checked ?? false;
    const isOpen = row?.querySelector('a.row[aria-current]');
    if (isOpen) next?.querySelector('a.row')?.setAttribute('aria-current', 'true');
  }
}

/** Renews the rows that are shown, and counts those that are not: they wait until they are asked for. */
function compareLists(page: Document): void {
  carry(document, page);
  const fresh = idsIn(page);
  const oldest = [...fresh.keys()].at(-1) ?? '';
  const shown = idsIn(document);
  for (const [id, row] of shown) {
    const next = fresh.get(id);
    if (row && next && next.outerHTML !== row.outerHTML) replace(row, next);
    // Ids rise with time: what is older was pushed off the page, what is not has left the list.
    if (!next && id > oldest) row?.classList.add('left');
  }
  const count = [...fresh.keys()].filter((id) => !shown.has(id) && isNewer(id, shown)).length;
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

/** Shows the list as it was at the last look. */
export function renewList(): void {
  const list = document.querySelector('#list');
  const fresh = latest?.querySelector('#list');
  if (!list || !fresh) return;
  carry(list, fresh);
  list.replaceWith(document.importNode(fresh, true));
  newOnes()?.toggleAttribute('hidden', true);
  document.dispatchEvent(new Event('htmx:after:swap'));
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
    const held = locks
      ? locks.request(NAME, { signal: end.signal }, () => listen(end.signal))
      : listen(end.signal);
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
  renewList();
  document.querySelector<HTMLElement>('#list a.row')?.focus();
});
document.addEventListener('fcs:read', () => {
  lookSoon();
});
follow(!document.hidden);
