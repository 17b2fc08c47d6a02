/** What pages do beyond links and forms. Without it everything still works. */

/** How long a button says that it has copied, in milliseconds. */
const COPIED_MS = 1_500;
const ZONE_COOKIE = 'fcs_zone';
const A_YEAR_SECONDS = 31_536_000;

/** Shows the copy buttons of a part of the page: without script they would do nothing. */
function showCopyButtons(part: ParentNode): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>('[data-copy]'))
    button.hidden = false;
}

async function copy(button: HTMLButtonElement): Promise<void> {
  const source = document.getElementById(button.dataset.copy ?? '');
  if (!source) return;
  await navigator.clipboard.writeText(source.textContent);
  button.dataset.copied = '';
  setTimeout(() => delete button.dataset.copied, COPIED_MS);
}

/** Tells the server the zone of this browser, for the times on the next page. */
function tellTimeZone(): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  document.cookie = `${ZONE_COOKIE}=${timeZone}; path=/; max-age=${A_YEAR_SECONDS}; samesite=lax`;
}

/** Sends a form without leaving the page; where it would lead is not asked for. */
async function sendQuietly(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string') body.append(name, value);
  }
  await fetch(form.action, { method: 'POST', headers: { Accept: 'application/json' }, body });
  if (button) button.disabled = false;
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement;
  if (!form.matches('[data-quietly]')) return;
  event.preventDefault();
  void sendQuietly(form);
});
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>('[data-copy]');
  if (button) void copy(button);
  for (const menu of document.querySelectorAll('details.person[open]')) {
    if (!menu.contains(event.target as Node)) menu.removeAttribute('open');
  }
});
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector('details.person[open]')?.removeAttribute('open');
});
document.addEventListener('htmx:after:swap', () => {
  showCopyButtons(document);
});

/**
 * What a link carries behind `#` is sent to no server and stands in no log: it goes from there into the
 * form, and out of the address.
 */
function takeFragment(): void {
  const input = document.querySelector<HTMLInputElement>('[data-fragment] input');
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!input || secret === '') return;
  input.value = secret;
  history.replaceState(null, '', location.pathname + location.search);
}

tellTimeZone();
takeFragment();
showCopyButtons(document);
