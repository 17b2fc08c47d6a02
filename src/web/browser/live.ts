// Keeps what a page shows up to date, without moving what one reads. Every page is right without it.

/** Name of the lock and the channel that the tabs of a browser share. */
const NAME = 'fcs-events';
const TOPICS = ['submissions', 'changes'];
/** Shortest time between two looks, in milliseconds. */
const PAUSE_MS = 1_000;
/** Time after which a stream that was refused is asked for again, in milliseconds. */
const REFUSED_MS = 60_000;

const channel = new BroadcastChannel(NAME);
/** Ends the stream of this tab, or the wait for it; null while it has neither. */
let letGo: (() => void) | null = null;
let timer = 0;
/** The page as it was at the last look. */
let latest: Document | null = null;

const idsIn = (part: ParentNode) =>
  new Map(
    [...part.querySelectorAll<HTMLElement>('#list a.row')].map((row) => [
      row.id,
      row.closest('tr'),
    ]),
  );
const boxIn = (part: ParentNode) => part.querySelector<HTMLInputElement>('input[name="id"]');

/** Looks once soon, however much changes meanwhile. */
function lookSoon(): void {
  timer ||= setTimeout(() => {
    void look().finally(() => (timer = 0));
  }, PAUSE_MS);
}

function hear({ form }: { form: string }): void {
  const only = document.querySelector<HTMLElement>('[data-look]')?.dataset.look;
  if (!document.hidden && (only === '' || only === form)) lookSoon();
}

async function look(): Promise<void> {
  const answer = await fetch(location.href, { headers: { 'HX-Request': 'true' } }).catch(
    () => null,
  );
  // Redirected to sign in, or refused: the next click says why.
  if (!answer?.ok || answer.redirected) return;
  latest = new DOMParser().parseFromString(await answer.text(), 'text/html');
  document.title = latest.title;
  for (const part of document.querySelectorAll('[data-fresh]')) {
    const fresh = latest.getElementById(part.id);
    if (fresh && fresh.outerHTML !== part.outerHTML) replace(part, fresh);
  }
  if (document.querySelector('#list')) compareLists(latest);
}

/** Replaces a part; the focus stays at the same place in it. */
function replace(part: Element, fresh: Element): void {
  const places = (of: Element) => [...of.querySelectorAll<HTMLElement>('a, button, input')];
  const at = places(part).findIndex((each) => each === document.activeElement);
  const isTicked = boxIn(part)?.checked ?? false;
  const next = document.importNode(fresh, true);
  part.replaceWith(next);
  const box = boxIn(next);
  if (box) box.checked = isTicked;
  places(next)[at]?.focus();
}

/** Renews the rows that are shown, and counts those that are not: they wait until they are asked for. */
function compareLists(page: Document): void {
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
  const button = document.querySelector<HTMLButtonElement>('[data-new] button');
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

/** Shows what came, on top of the list. */
function insert(): void {
  const list = document.querySelector('#list');
  const fresh = latest?.querySelector('#list');
  const button = document.querySelector<HTMLButtonElement>('[data-new] button');
  if (!list || !fresh || !button) return;
  const ticked = [...list.querySelectorAll<HTMLInputElement>('input[name="id"]:checked')];
  list.replaceWith(document.importNode(fresh, true));
  for (const { value } of ticked) {
    const box = document.querySelector<HTMLInputElement>(`#list input[value="${value}"]`);
    if (box) box.checked = true;
  }
  button.hidden = true;
  document.querySelector<HTMLElement>('#list a.row')?.focus();
  document.dispatchEvent(new Event('htmx:after:swap'));
}

/** Opens the stream, which tells the other tabs too. @returns when it is let go */
function listen(end: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const source = new EventSource('/events');
    for (const topic of TOPICS) {
      source.addEventListener(topic, ({ data }: MessageEvent<string>) => {
        const told = JSON.parse(data) as { form: string };
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

channel.addEventListener('message', ({ data }: MessageEvent<{ form: string }>) => {
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
  if ((target as Element).closest('[data-new] button')) insert();
});
follow(!document.hidden);

export {};
