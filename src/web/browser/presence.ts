// Says which submission this page shows, so that others who open it know. Nothing waits for it.

/** How long a submission is shown before that is said, in milliseconds: who walks through many looks at none. */
const SHOWN_MS = 1_000;
/** Time after which it is said again, in milliseconds; three times as long, and it counts as left. */
const AGAIN_MS = 25_000;

/** Where was said that a submission is open; null for none. */
let said: string | null = null;
let timer = 0;

function shown(): string | null {
  if (document.hidden) return null;
  const part = document.querySelector<HTMLElement>('#submission[data-presence]');
  return part?.dataset.presence ?? null;
}

/** Says it, or that it was left, also from a page that is being left. */
function say(address: string, open: boolean): void {
  navigator.sendBeacon(address, new URLSearchParams({ open: String(open) }));
}

function follow(address = shown()): void {
  clearTimeout(timer);
  if (said !== null && said !== address) {
    say(said, false);
    said = null;
  }
  if (address === null) return;
  timer = setTimeout(
    () => {
      say((said = address), true);
      follow(address);
    },
    said === null ? SHOWN_MS : AGAIN_MS,
  );
}

for (const event of ['visibilitychange', 'htmx:after:swap', 'fcs:closed'])
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

export {};
