// Does the small task that forms of this service set, on anybody's page. A form is sent without it as well.
// It looks for forms whose `action`, or whose `data-proof-of-work`, is the address of a form here.

/** A challenge, in the format of ALTCHA, and when it ends. */
interface Challenge {
  parameters: { cost: number; expiresAt: number; keyLength: number; keyPrefix: string; nonce: string; salt: string };
  signature: string;
}
interface Solved {
  text: string;
  /** In milliseconds since 1970. */
  until: number;
}

/** Longest time that a form waits for its solution, in milliseconds. */
const WAIT_MS = 8_000;
/** Time before its end at which a challenge counts as ended, and duration of a failure, in milliseconds. */
const MARGIN_MS = 30_000;
const FIELD = 'altcha';

const { origin } = new URL(import.meta.url);
/** Solutions that are sought or found and not sent yet. */
const solutions = new WeakMap<HTMLFormElement, Promise<Solved | null>>();
/** When those that are found end. */
const found = new WeakMap<HTMLFormElement, number>();
/** Forms that wait for one, and forms that are sent after that. */
const waiting = new WeakSet<HTMLFormElement>();
const passing = new WeakSet<HTMLFormElement>();

/** Returns the address that a form is sent to; null when that is not here. */
function addressOf(form: HTMLFormElement): string | null {
  // Not the properties of the form: a field may have their names.
  const given = form.getAttribute('data-proof-of-work') ?? form.getAttribute('action');
  if (given === null || !URL.canParse(given, document.baseURI)) return null;
  const { origin: to, pathname } = new URL(given, document.baseURI);
  const path = /^\/f\/[0-9a-f]{16}(?=\/?$)/i.exec(pathname)?.[0];
  return to === origin && path !== undefined ? origin + path : null;
}

const bytesOf = (hex: string) => Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));
const hexOf = (bytes: Uint8Array) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');

async function solve(address: string): Promise<Solved> {
  const answer = await fetch(`${address}/challenge`, { credentials: 'omit' });
  if (!answer.ok) throw new Error(answer.statusText);
  const challenge = (await answer.json()) as Challenge;
  const { cost, expiresAt, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
  const begin = performance.now();
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(salt), iterations: cost };
  const password = bytesOf(`${nonce}00000000`);
  const view = new DataView(password.buffer);
  for (let counter = 0; ; counter++) {
    view.setUint32(password.length - 4, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const bits = await crypto.subtle.deriveBits(how, key, keyLength * 8);
    const derivedKey = hexOf(new Uint8Array(bits));
    if (!derivedKey.startsWith(keyPrefix)) continue;
    const time = Math.round(performance.now() - begin);
    const text = btoa(JSON.stringify({ challenge, solution: { counter, derivedKey, time } }));
    return { text, until: expiresAt * 1000 - MARGIN_MS };
  }
}

/** Puts a solution where it is sent with the form. */
function put(form: HTMLFormElement, solved: Solved): void {
  let field = form.querySelector<HTMLInputElement>(`input[name="${FIELD}"]`);
  if (!field) {
    field = document.createElement('input');
    field.type = 'hidden';
    field.name = FIELD;
    form.append(field);
  }
  field.value = solved.text;
  found.set(form, solved.until);
}

const isFound = (form: HTMLFormElement) => (found.get(form) ?? 0) > Date.now();

/** Drops a solution: it counts once, and not for long. */
function drop(form: HTMLFormElement): void {
  found.delete(form);
  solutions.delete(form);
}

/** Begins to solve a challenge, unless that is done; what cannot be had is tried again later. */
function begin(form: HTMLFormElement, address: string): Promise<Solved | null> {
  if (found.has(form) && !isFound(form)) drop(form);
  const known = solutions.get(form);
  if (known) return known;
  const begun = solve(address).then(
    (solved) => {
      put(form, solved);
      return solved;
    },
    () => {
      setTimeout(() => solutions.delete(form), MARGIN_MS);
      return null;
    },
  );
  solutions.set(form, begun);
  return begun;
}

/** Returns the solution of a form, which counts once; null when that takes too long. */
async function solved(form: HTMLFormElement, address: string): Promise<Solved | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, WAIT_MS, null));
  return Promise.race([begin(form, address), late]);
}

/** Returns a solution for a form whose script sends it in place; null when there is none, or not soon. */
export async function solutionFor(form: HTMLFormElement): Promise<string | null> {
  const address = addressOf(form);
  const found = address === null ? null : await solved(form, address);
  drop(form);
  return found?.text ?? null;
}

/** Sends a form once it has its solution, or without it when that takes too long. */
async function sendLater(form: HTMLFormElement, address: string, submitter: HTMLElement | null): Promise<void> {
  waiting.add(form);
  form.ariaBusy = 'true';
  await solved(form, address);
  // The form cannot be sent again within the event that was stopped.
  await new Promise((resolve) => setTimeout(resolve));
  form.ariaBusy = null;
  waiting.delete(form);
  passing.add(form);
  const button = submitter?.isConnected === true ? submitter : null;
  HTMLFormElement.prototype.requestSubmit.call(form, button);
  passing.delete(form);
}

function onFocus({ target }: Pick<FocusEvent, 'target'>): void {
  const form = target instanceof Element ? target.closest('form') : null;
  const address = form && addressOf(form);
  if (form && address !== null) void begin(form, address);
}

/** Comes before the page's own handlers, which then see one submit event, with the solution in the form. */
function onSubmit(event: SubmitEvent): void {
  const form = event.target;
  const address = form instanceof HTMLFormElement ? addressOf(form) : null;
  if (!(form instanceof HTMLFormElement) || address === null) return;
  if (passing.has(form) || isFound(form)) {
    drop(form);
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  if (!waiting.has(form)) void sendLater(form, address, event.submitter);
}

// Elsewhere, as on plain http, browsers lack what it takes.
if (isSecureContext) {
  addEventListener('focusin', onFocus);
  // The visitor is in the form already where that made a page load this.
  onFocus({ target: document.activeElement });
  addEventListener('submit', onSubmit, true);
}
