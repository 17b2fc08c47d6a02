// Adds what links and forms cannot do. Every page works without it.
import { load, replace } from './pages.js';

/** How long a button shows that it has copied, in milliseconds. */
const COPIED_MS = 1_500;
/** Buttons that copy something. */
const COPIES = ':is([data-copy], [data-copy-link], [data-copy-from])';
const ZONE_COOKIE = 'fcs_zone';
const A_YEAR_SECONDS = 31_536_000;

/** Shows the copy buttons of a part of the page, which are hidden for browsers without script. */
function showCopyButtons(part: ParentNode): void {
  for (const button of part.querySelectorAll<HTMLButtonElement>(COPIES)) button.hidden = false;
}

/** Copies the text of an element, the address of a page of ours, or the JSON that one of ours answers. */
async function copy(button: HTMLButtonElement): Promise<void> {
  const { copy, copyLink, copyFrom } = button.dataset;
  if (copyLink !== undefined) await navigator.clipboard.writeText(location.origin + copyLink);
  else if (copyFrom !== undefined) {
    const looked = button.closest<HTMLElement>('#submission')?.dataset.looked ?? '';
    const answer = await fetch(copyFrom, { headers: { 'Fcs-Look': looked } });
    if (!answer.ok) return;
    await navigator.clipboard.writeText(JSON.stringify(await answer.json(), null, 2));
  } else {
    const source = document.getElementById(copy ?? '');
    if (!source) return;
    await navigator.clipboard.writeText(source.textContent);
  }
  button.dataset.copied = '';
  setTimeout(() => delete button.dataset.copied, COPIED_MS);
}

/** Shows of a list of boxes those whose labels have what is typed, and those that are ticked. */
function narrow(input: HTMLInputElement): void {
  const typed = input.value.toLowerCase();
  for (const check of document.querySelectorAll<HTMLElement>(`#${input.dataset.narrows ?? ''} .check`)) {
    const isTicked = check.querySelector('input')?.checked === true;
    check.hidden = !isTicked && !check.textContent.toLowerCase().includes(typed);
  }
}
document.addEventListener('input', ({ target }) => {
  if ((target as Element).matches('[data-narrows]')) narrow(target as HTMLInputElement);
});
for (const input of document.querySelectorAll<HTMLInputElement>('[data-narrows]')) input.hidden = false;

// A condition offers the values of the field that it is about.
document.addEventListener('change', ({ target }) => {
  const about = target as HTMLSelectElement;
  const value = about.closest('.condition')?.querySelector('input[list]');
  if (about.name.endsWith('.about')) {
    value?.setAttribute('list', `values of ${about.value}`.replace(/\s/g, '_'));
  }
});

/** Stores the browser's time zone in a cookie, for forms that create a person. */
function storeTimeZone(): void {
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
  // What was begun is not for the next person in this tab.
  if (form.matches('[action="/sign-out"]')) sessionStorage.clear();
  if (!form.matches('[data-quietly]')) return;
  event.preventDefault();
  void sendQuietly(form);
});
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLButtonElement>(COPIES);
  if (button) void copy(button);
  for (const menu of document.querySelectorAll('.pop[open]')) {
    if (!menu.contains(event.target as Node)) menu.removeAttribute('open');
  }
});
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') document.querySelector('.pop[open]')?.removeAttribute('open');
});
/** Opens what finds pages over this one; should that fail, it is a page by itself. */
async function go(link: HTMLAnchorElement): Promise<void> {
  try {
    const { openPalette } = await import('./palette.js');
    await openPalette(link.href);
  } catch {
    location.assign(link.href);
  }
}
document.addEventListener('click', (event) => {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  const link = (target as Element).closest<HTMLAnchorElement>('a[data-go]');
  if (!link || button !== 0 || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  void go(link);
});
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, shiftKey, altKey } = event;
  const link = document.querySelector<HTMLAnchorElement>('a[data-go]');
  if (!link || key !== 'k' || ctrlKey === metaKey || shiftKey || altKey) return;
  event.preventDefault();
  if (!document.querySelector('dialog[open]')) void go(link);
});
document.addEventListener('fcs:shown', () => {
  showCopyButtons(document);
});

/**
 * Moves the secret behind the `#` of a link into the form. Browsers do not send that part of an address,
 * so the secret is in no log; afterwards it is not in the history either.
 */
function takeFragment(): void {
  const part = document.querySelector<HTMLElement>('[data-fragment]');
  const input = part?.querySelector('input');
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!part || !input || secret === '') return;
  input.value = secret;
  part.hidden = true;
  history.replaceState(null, '', location.pathname + location.search);
  if (part.dataset.fragment === 'send') input.form?.requestSubmit();
}

/** Renews a part of the page as often as it says, until it says no more. */
function poll(id: string): void {
  const part = document.getElementById(id);
  if (!part?.dataset.every) return;
  setTimeout(
    () => {
      void load(part.dataset.from).then((page) => {
        const fresh = page?.getElementById(id);
        if (fresh && fresh.outerHTML !== part.outerHTML) replace(part, fresh);
        poll(id);
      });
    },
    Number(part.dataset.every) * 1_000,
  );
}

for (const { id } of document.querySelectorAll('[data-every]')) poll(id);
storeTimeZone();
takeFragment();
window.addEventListener('hashchange', takeFragment);
showCopyButtons(document);
if (document.querySelector('[data-changes]')) void import('./settings.js');
if (document.querySelector('[data-live]')) void import('./preview.js');
if (document.querySelector('[data-look]')) void import('./presence.js');
if (document.querySelector('[data-passkey]')) void import('./passkeys.js');
