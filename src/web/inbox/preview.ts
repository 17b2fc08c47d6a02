/** A value under its name, as a person reads it. */
export interface Answer {
  name: string;
  text: string;
}

const NAMES = /^(?:full|first|last|your)?[ _-]?name$/i;
const ADDRESS = /^(?:your[ _-]?)?e?[ _-]?mail(?:[ _-]?address)?$/i;
/** Longer texts are cut before they are sent: a list shows one line of each. */
const SHOWN_MAX = 160;

/**
 * Returns what tells a submission from others: who it is from, by name, else address, else its first
 * value, and the other values in one line.
 */
export function previewOf(answers: Answer[]): { from: string; rest: string } {
  const filled = answers.filter(({ text }) => text.trim() !== '');
  const names = filled.filter(({ name }) => NAMES.test(name));
  const address = filled.find(({ name }) => isAddressField(name));
  const tellers =
    names.length > 0 ? names : [address ?? filled[0]].filter((each) => each !== undefined);
  const rest = filled.filter((answer) => !tellers.includes(answer)).map(({ text }) => text);
  return { from: oneLine(tellers), rest: cut(rest.join(' · ')) };
}

/** Says whether a field is for an e-mail address, by its name. */
export function isAddressField(name: string): boolean {
  return ADDRESS.test(name);
}

function oneLine(answers: Answer[]): string {
  return cut(answers.map(({ text }) => text).join(' '));
}

function cut(text: string): string {
  const line = text
    .slice(0, SHOWN_MAX * 2)
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(line);
  return letters.length > SHOWN_MAX ? `${letters.slice(0, SHOWN_MAX).join('')}…` : line;
}
