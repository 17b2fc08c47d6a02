// Counts the changes on a page of settings that are not saved yet, and asks before they are lost.

const bar = document.querySelector<HTMLElement>('[data-changes]');
const form = bar?.closest('form');
const reset = bar?.querySelector<HTMLButtonElement>('[type=reset]');

type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** Tells whether an input holds something else than the page came with. */
function isChanged(input: Input): boolean {
  if (input instanceof HTMLSelectElement) {
    return [...input.options].some(({ selected, defaultSelected }) => selected !== defaultSelected);
  }
  if (input.type === 'checkbox' || input.type === 'radio') {
    const { checked, defaultChecked } = input as HTMLInputElement;
    return checked !== defaultChecked;
  }
  return input.value !== input.defaultValue;
}

/** Counts them; of a page that was refused, what was typed before counts as well. */
function changes(): number {
  const inputs = form?.querySelectorAll<Input>(':is(input, textarea, select)[name]') ?? [];
  const count = [...inputs].filter(isChanged).length;
  return count > 0 ? count : Number(form?.querySelector('[role=alert]') !== null);
}

/** Shows the bar while something is changed, with the number of changes. */
function show(): void {
  if (!bar) return;
  const count = changes();
  bar.dataset.count = String(count);
  const said = bar.querySelector('output');
  if (said) said.textContent = count === 0 ? '' : `${count} ${bar.dataset.changes ?? ''}`;
}

if (form && bar && reset) {
  reset.hidden = false;
  let isSent = false;
  form.addEventListener('input', show);
  form.addEventListener('reset', () => setTimeout(show));
  form.addEventListener('submit', ({ submitter }) => {
    isSent = !submitter?.hasAttribute('formtarget');
  });
  window.addEventListener('beforeunload', (event) => {
    if (!isSent && changes() > 0) event.preventDefault();
  });
  show();
}

export {};
