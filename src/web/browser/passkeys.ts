/**
 * Buttons that send their form with what a passkey answers. They are drawn hidden, and shown where the
 * browser keeps passkeys: `data-passkey` says whether one is made or used, `data-options` where to ask
 * for what the browser needs, `data-action` where the form goes then, if not where it goes anyway.
 */

/** Options are good for five minutes; a page that waits for a choice asks anew before. */
const RENEW_MS = 4 * 60_000;

const supported =
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential;

/** Aborts the wait for a choice among the passkeys that a field offers. */
let waiting: AbortController | undefined;

/** Asks for what the browser needs; null when it is refused, for the server to say why. */
async function optionsOf({ form, dataset }: HTMLButtonElement): Promise<object | null> {
  const fields = new FormData(form ?? undefined);
  const body = new URLSearchParams();
  for (const name of ['email', 'name']) {
    const value = fields.get(name);
    if (typeof value === 'string') body.append(name, value);
  }
  const isMade = dataset.passkey === 'first';
  const answer = await fetch(dataset.options ?? '', {
    method: 'POST',
    headers: { Accept: 'application/json' },
    ...(isMade && { body }),
  });
  if (!answer.ok) return null;
  const { options } = (await answer.json()) as { options: object };
  return options;
}

/** Sends the form of a button with this answer; '' lets the server say what is missing. */
function send(button: HTMLButtonElement, credential: string): void {
  const { form, dataset } = button;
  if (!form) return;
  const input = document.createElement('input');
  input.type = 'hidden';
  input.name = dataset.name ?? 'credential';
  input.value = credential;
  form.append(input);
  if (dataset.action) form.action = dataset.action;
  form.submit();
}

async function ask(button: HTMLButtonElement): Promise<void> {
  const { form, dataset } = button;
  if (dataset.passkey === 'first' && form) {
    const fields = [...form.querySelectorAll<HTMLInputElement>('input:not([type=password])')];
    if (!fields.every((field) => field.reportValidity())) return;
  }
  waiting?.abort();
  const failed = form?.querySelector<HTMLElement>('[data-passkey-failed]');
  if (failed) failed.hidden = true;
  button.disabled = true;
  try {
    const options = await optionsOf(button);
    if (!options) {
      send(button, '');
      return;
    }
    const credential = await (dataset.passkey === 'use'
      ? navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
        })
      : navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(
            options as PublicKeyCredentialCreationOptionsJSON,
          ),
        }));
    if (credential) send(button, JSON.stringify(credential));
  } catch {
    if (failed) failed.hidden = false;
    if ('auto' in dataset) void offer(button);
  } finally {
    button.disabled = false;
  }
}

/** Offers passkeys where the address is typed, without a question before. */
async function offer(button: HTMLButtonElement): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  const options = await optionsOf(button);
  if (!options) return;
  const end = new AbortController();
  waiting = end;
  const again = setTimeout(() => {
    end.abort();
    void offer(button);
  }, RENEW_MS);
  try {
    const credential = await navigator.credentials.get({
      mediation: 'conditional',
      signal: end.signal,
      publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON),
    });
    if (credential) send(button, JSON.stringify(credential));
  } catch {
    // Given up, or aborted by the button: the person asked for nothing, so no message is needed.
  } finally {
    clearTimeout(again);
  }
}

if (supported) {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-passkey]')) {
    button.hidden = false;
    button.addEventListener('click', () => void ask(button));
    if ('auto' in button.dataset) void offer(button);
  }
  for (const part of document.querySelectorAll<HTMLElement>('[data-with-passkeys]')) {
    part.hidden = false;
  }
  for (const part of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) {
    part.hidden = true;
  }
}

export {};
