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
document.addEventListener('htmx:after:swap', restore);
restore();

export {};
