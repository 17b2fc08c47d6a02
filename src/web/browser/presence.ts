// Says which submission this page shows, so that others who open it know, and that it is read. Nothing waits for it.
import { pageOf } from './pages.js';
import { take } from './live.js';

/** How long a submission is shown before that is said, in milliseconds: who walks through many looks at none. */
const SHOWN_MS = 1_000;
/** Time after which it is said again, in milliseconds; three times as long, and it counts as left. */
const AGAIN_MS = 25_000;

/** Names the submission that was said to be open; null for none. */
let said: string | null = null;
let timer = 0;

const part = () => document.querySelector<HTMLElement>('#submission[data-presence]');
const addressOf = (name: string) => `/inbox/${name}/presence`;

/** Says that it is open, and that the one before was left; once, that it is read, which changes the list beside it. */
async function say(name: string): Promise<void> {
  const body = new URLSearchParams({ open: 'true' });
  if (said !== null && said !== name) body.set('left', said);
  const unread = said === name ? null : document.querySelector<HTMLElement>('#submission[data-unread]');
  const [, id = ''] = name.split('/');
  const list = document.querySelector<HTMLElement>('#inbox');
  if (unread) {
    delete unread.dataset.unread;
    body.set('read', 'true');
    document.getElementById(`s-${id}`)?.closest('tr')?.classList.remove('unread');
  }
  if (unread && list) {
    for (const field of ['q', 'before']) body.set(field, list.dataset[field] ?? '');
    body.set('shown', [...document.querySelectorAll('#list a.row')].map((row) => row.id.slice(2)).join());
  }
  said = name;
  const headers = { 'HX-Request': 'true' };
  const answer = await fetch(addressOf(name), { method: 'POST', headers, body }).catch(() => null);
  if (answer?.ok && answer.status === 200 && list?.isConnected) take(await pageOf(answer), [id]);
}

function follow(name = document.hidden ? null : (part()?.dataset.presence ?? null)): void {
  clearTimeout(timer);
  if (name === null) {
    // Also from a page that is being left.
    if (said !== null) navigator.sendBeacon(addressOf(said), new URLSearchParams({ open: 'false' }));
    said = null;
    return;
  }
  timer = setTimeout(
    () => {
      void say(name);
      follow(name);
    },
    said === name ? AGAIN_MS : SHOWN_MS,
  );
}

for (const event of ['visibilitychange', 'fcs:shown', 'fcs:closed'])
  document.addEventListener(event, () => {
    follow();
  });
addEventListener('pagehide', () => {
  follow(null);
});
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) follow();
});
follow();
