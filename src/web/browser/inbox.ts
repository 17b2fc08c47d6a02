// Adds keys and ranges of boxes to the inbox. Every page works without it.

import { isSplit, open, openRow, pane, rows, working } from './split.js';

// Keeps a note that was begun in this tab until it is on its submission. Without script leaving a page loses it.

const KEY = 'fcs-note ';

interface Draft {
  text: string;
  /** Whether it was sent; it may have been refused, or lost on the way. */
  sent: boolean;
}

const field = () => document.querySelector<HTMLTextAreaElement>('#submission [name="note.text"]');

/** Returns where the draft of the submission on this page is kept. */
function keyOf(input: Element): string {
  const { from = '' } = input.closest<HTMLElement>('#submission')?.dataset ?? {};
  return KEY + new URL(from, location.href).pathname;
}

function draftAt(key: string): Draft | null {
  return JSON.parse(sessionStorage.getItem(key) ?? 'null') as Draft | null;
}

function keep(key: string, draft: Draft): void {
  if (draft.text.trim() === '') sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, JSON.stringify(draft));
}

/** Says whether this is among the notes on the page. */
function isWritten(text: string): boolean {
  const notes = [...document.querySelectorAll('#notes .text')];
  return notes.some(({ textContent }) => textContent.trim().startsWith(text.trim()));
}

/** Puts back what was begun; what was sent and has arrived is forgotten. */
function restore(): void {
  const input = field();
  const key = input && keyOf(input);
  const draft = key && draftAt(key);
  if (!input || !key || !draft) return;
  if (draft.sent && isWritten(draft.text)) sessionStorage.removeItem(key);
  else if (input.value === '') input.value = draft.text;
}

document.addEventListener('input', ({ target }) => {
  const input = field();
  if (input && target === input) keep(keyOf(input), { text: input.value, sent: false });
});
document.addEventListener('submit', ({ target }) => {
  const input = field();
  if (input?.form === target) keep(keyOf(input), { text: input.value, sent: true });
});
document.addEventListener('fcs:shown', restore);
restore();

export {};

/** A page that a form was sent from, and that has not been left by then, takes another one; in milliseconds. */
const LEAVE_MS = 5_000;
/** Keys that change nothing: they repeat while they are held. */
const MOVES = new Set(['j', 'k', 'x']);
/** Keys that go ahead while an answer is under way: a list shows at once what they do. */
const QUICK = new Set([...MOVES, 'e', 's', 'u', '!', '#', 'm']);

const all = <Type extends Element>(selector: string) => [...document.querySelectorAll<Type>(selector)];
const boxes = () => all<HTMLInputElement>('.bulk input[name="id"]');
const dialog = () => document.querySelector<HTMLDialogElement>('#keys');

/** Moves the focus along the list, and opens the row where that is beside it; else leads to the neighbour. */
function move(step: 1 | -1): void {
  const list = rows();
  const at = list.findIndex((row) => row === document.activeElement);
  const from = at < 0 ? list.findIndex((row) => row === openRow()) : at;
  if (list.length === 0 || (from < 0 && pane())) {
    document.querySelector<HTMLAnchorElement>(`a[rel="${step === 1 ? 'next' : 'prev'}"]`)?.click();
    return;
  }
  const row = list[Math.min(Math.max(from + step, 0), list.length - 1)];
  row?.focus();
  if (row && row !== openRow() && isSplit()) void open(row.href);
}

function focused(): HTMLInputElement | undefined {
  const row = document.activeElement?.closest('tr') ?? openRow()?.closest('tr');
  return boxes().find((box) => box.closest('tr') === row);
}

/** Returns what keys act on: the submission beside the list unless rows are selected, else the page. */
function acted(): ParentNode {
  return (boxes().some(({ checked }) => checked) ? null : pane()) ?? document;
}

/** Selects the focused row of a list when none is selected. @returns whether there is something to act on */
function select(): boolean {
  if (acted() !== document || boxes().length === 0) return true;
  if (boxes().some(({ checked }) => checked)) return true;
  const box = focused();
  if (box) box.checked = true;
  return box !== undefined;
}

/** Presses a button of the page; in a list, for the focused row when none is selected. */
function press(name: string, value?: string): void {
  const which = value === undefined ? '' : `[value="${value}"]`;
  const button = acted().querySelector<HTMLButtonElement>(
    `:is(.buttons, .bulk-actions, [action$="/assignee"]) button[name="${name}"]${which}`,
  );
  if (!button) return;
  if (select()) button.form?.requestSubmit(button);
}

/** Opens the list of the form before or after the one that is shown. */
function moveForm(step: 1 | -1): void {
  const forms = all<HTMLAnchorElement>('.form-list a');
  const at = forms.findIndex((each) => each.hasAttribute('aria-current'));
  forms[at + step]?.click();
}

function focusOn(selector: string, part: ParentNode = document): void {
  const wanted = part.querySelector<HTMLElement>(selector);
  wanted?.closest('details')?.setAttribute('open', '');
  wanted?.focus();
}

const KEYS: Record<string, () => void> = {
  j: () => {
    move(1);
  },
  k: () => {
    move(-1);
  },
  '[': () => {
    moveForm(-1);
  },
  ']': () => {
    moveForm(1);
  },
  o: () => (document.activeElement as HTMLElement | null)?.click(),
  x: () => focused()?.click(),
  e: () => {
    press('done');
  },
  s: () => {
    press('starred');
  },
  u: () => {
    press('read', 'false');
  },
  // Not the other way: "not spam" sends what was withheld.
  '!': () => {
    press('spam', 'true');
  },
  '#': () => {
    press('trash');
  },
  t: () => {
    select();
    // An undo of tags carries a hidden field of that name.
    focusOn(':is([name="tags"], [name="add_tag"]):not([type="hidden"])', acted());
  },
  a: () => {
    select();
    focusOn('select[name="person"], select[name="assignee"]', acted());
  },
  m: () => {
    if (acted() === document && boxes().length > 0) press('assign', 'me');
    else press('me');
  },
  '.': () => document.querySelector<HTMLButtonElement>('[data-new] button:not([hidden])')?.click(),
  z: () => document.querySelector<HTMLFormElement>('form[data-undo]')?.requestSubmit(),
  '/': () => {
    focusOn('input[name="q"][type="search"]');
  },
  '?': () => dialog()?.showModal(),
};

document.addEventListener('keydown', (event) => {
  const { key, target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || dialog()?.open) return;
  const isTyping = (target as Element).matches('textarea, select, input:not([type="checkbox"]), [contenteditable]');
  if (isTyping || (dialog()?.dataset.off !== undefined && key !== '?')) return;
  const act = KEYS[key];
  if (!act || !document.querySelector('#keys')) return;
  event.preventDefault();
  if (event.repeat && !MOVES.has(key)) return;
  void inTurn(act, QUICK.has(key) && (MOVES.has(key) || rows().length > 0));
});

const untilIdle = () =>
  new Promise((done) => {
    addEventListener('fcs:idle', done, { once: true });
  });

/** Keys that wait, in their order. */
let waiting = Promise.resolve();
let count = 0;

/** Acts at once, or after what is under way: a key that is pressed early means what is shown by then. */
async function inTurn(act: () => void, isQuick: boolean): Promise<void> {
  if (count === 0 && (!working() || (isQuick && working() !== 'sends'))) {
    act();
    return;
  }
  count++;
  waiting = waiting.then(async () => {
    while (working()) await untilIdle();
    count--;
    act();
  });
  await waiting;
}

/** Tells that a form was sent, so that a second press before leaving the page does nothing. */
let leaving = false;
document.addEventListener('submit', (event) => {
  if (event.defaultPrevented || !(event.target as Element).closest('#inbox, #submission, .flash')) return;
  if (leaving) event.preventDefault();
  leaving = true;
  setTimeout(() => (leaving = false), LEAVE_MS);
});
addEventListener('pageshow', () => {
  leaving = false;
});

/** Says how many rows are selected. */
function countSelected(): void {
  const count = boxes().filter(({ checked }) => checked).length;
  for (const output of all<HTMLElement>('.bulk-count')) output.textContent = `${count} ${output.dataset.count ?? ''}`;
}
document.addEventListener('change', countSelected);

/** Ticks the boxes between the last one and this one, as lists of mails do. */
let last: HTMLInputElement | undefined;
document.addEventListener('click', (event) => {
  const box = event.target as HTMLInputElement;
  if (box.matches('#all')) for (const each of boxes()) each.checked = box.checked;
  if (!box.matches('.bulk input[name="id"]')) return;
  const list = boxes();
  const [from, to] = [list.indexOf(last ?? box), list.indexOf(box)].sort((a, b) => a - b);
  if (event.shiftKey) for (const each of list.slice(from, (to ?? 0) + 1)) each.checked = box.checked;
  const page = document.querySelector<HTMLInputElement>('#all');
  if (page) page.checked = list.every(({ checked }) => checked);
  last = box;
  countSelected();
});

// The row that took the place of those that were changed: keys go on from there.
if (/^#s-[\w-]+$/.test(location.hash)) document.querySelector<HTMLElement>(location.hash)?.focus();
if (matchMedia('(any-pointer: coarse)').matches) void import('./touch.js');
