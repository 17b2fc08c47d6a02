// Counts the changes on a page of settings that are not saved yet, and asks before they are lost.

const bar = document.querySelector<HTMLElement>('[data-changes]');
const form = bar?.closest('form');
const reset = bar?.querySelector<HTMLButtonElement>('[type=reset]');

/** The lists whose rows can be moved, each with its order on the page. */
const lists = new Map<Element, string>();

/** Returns the names of the rows of a list in their order, one in each line. */
function orderOf(list: Element): string {
  return [...list.querySelectorAll('input')].map(({ value }) => value).join('\n');
}

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
  const moved = [...lists].filter(([list, before]) => orderOf(list) !== before);
  const count = [...inputs].filter(isChanged).length + moved.length;
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

/** Moves a row of a list to the place of another one. */
function move(row: Element, other: Element | null | undefined): void {
  if (!other || other === row || other.parentElement !== row.parentElement) return;
  const isDown = (row.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) > 0;
  other[isDown ? 'after' : 'before'](row);
  show();
}

for (const list of document.querySelectorAll<HTMLElement>('[data-sorts]')) {
  const before = orderOf(list);
  lists.set(list, before);
  for (const grip of list.querySelectorAll<HTMLButtonElement>('.grip')) {
    const row = grip.closest('li');
    if (!row) continue;
    grip.hidden = false;
    grip.addEventListener('keydown', (event) => {
      const to = { ArrowUp: row.previousElementSibling, ArrowDown: row.nextElementSibling };
      if (!(event.key in to)) return;
      event.preventDefault();
      move(row, to[event.key as keyof typeof to]);
      grip.focus();
    });
    grip.addEventListener('pointerdown', ({ pointerId }) => {
      grip.setPointerCapture(pointerId);
      row.classList.add('moving');
    });
    grip.addEventListener('pointermove', ({ clientX, clientY }) => {
      if (!row.classList.contains('moving')) return;
      move(row, document.elementFromPoint(clientX, clientY)?.closest('li'));
    });
    grip.addEventListener('lostpointercapture', () => {
      row.classList.remove('moving');
    });
  }
  form?.addEventListener('reset', () => {
    const order = before.split('\n');
    const placeOf = (row: Element) => order.indexOf(row.querySelector('input')?.value ?? '');
    list.append(...[...list.children].sort((one, other) => placeOf(one) - placeOf(other)));
  });
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
