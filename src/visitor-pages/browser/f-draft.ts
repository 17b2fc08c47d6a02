// Keeps in the visitor's browser, and nowhere else, what was typed into each `form[data-fcs-draft]` of a page, until the
// form is sent.

/** Kinds of fields that are kept; none of secrets. */
const TYPED = /^(?:text|textarea|email|tel|url|search|number)$/;
/** Parts of `autocomplete` of fields that browsers are not to keep either. */
const SECRET = /^off$|\bcc-|one-time-code/;

type Field = HTMLInputElement | HTMLTextAreaElement;
type Draft = [name: string, value: string][];

const restored = new WeakSet<HTMLFormElement>();

/** Not the property of the form: a field may have its name. */
const keyOf = (form: HTMLFormElement) => `fcs-draft ${form.getAttribute('action') ?? ''} ${location.pathname}`;
const fieldsOf = (form: HTMLFormElement) =>
  [...form.querySelectorAll<Field>('input, textarea')].filter(
    ({ type, name, autocomplete }) => TYPED.test(type) && /^[^_]/.test(name) && !SECRET.test(autocomplete),
  );

/** Puts back what was typed, once, where nothing else stands. */
function restore(form: HTMLFormElement): void {
  if (restored.has(form)) return;
  restored.add(form);
  const draft = JSON.parse(localStorage.getItem(keyOf(form)) ?? '[]') as Draft;
  for (const field of fieldsOf(form)) {
    const at = draft.findIndex(([name]) => name === field.name);
    const [, value = ''] = draft.splice(at, at < 0 ? 0 : 1)[0] ?? [];
    if (value && field.value === field.defaultValue) field.value = value;
  }
}

function keep(form: HTMLFormElement): void {
  const draft: Draft = fieldsOf(form).map(({ name, value }) => [name, value]);
  localStorage.setItem(keyOf(form), JSON.stringify(draft));
}

function forget(form: HTMLFormElement): void {
  localStorage.removeItem(keyOf(form));
}

/** Does something with a form, unless the browser keeps nothing for the page or has no room. */
function attempt(action: (form: HTMLFormElement) => void, target: EventTarget | null): void {
  const form = target instanceof Element ? target.closest<HTMLFormElement>('form[data-fcs-draft]') : null;
  try {
    if (form) action(form);
  } catch {
    // The visitor loses nothing that other pages keep.
  }
}

addEventListener('focusin', ({ target }) => {
  attempt(restore, target);
});
addEventListener('input', ({ target }) => {
  attempt(keep, target);
});
addEventListener('fcs:success', ({ target }) => {
  attempt(forget, target);
});
// It comes here last: what nobody has prevented is sent by the browser.
addEventListener('submit', ({ target, defaultPrevented }) => {
  if (!defaultPrevented) attempt(forget, target);
});
for (const form of document.forms) attempt(restore, form);
