/** `{{name}}`, with optional blanks around the name. The length is limited, so that no text takes long. */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g;

/** Longest text in a header, in characters. */
const HEADER_MAX = 255;
/** Longest value of a visitor in a subject, in characters: room for a name, not for a message. */
const IN_SUBJECT_MAX = 60;

/**
 * Fills the placeholders of a text in one pass: values are never scanned, so a visitor cannot bring
 * placeholders. An unknown name becomes nothing.
 */
export function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => values.get(name.trim()) ?? '');
}

/** Fills a subject. A visitor's values are cut, since the mail may go to somebody who is not that visitor. */
export function fillSubject(template: string, values: ReadonlyMap<string, string>): string {
  const short = [...values].map(([name, text]) => [name, cut(text)] as const);
  return headerText(fill(template, new Map(short)));
}

/** Cuts a visitor's value to its longest length in a subject. */
export function cut(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= IN_SUBJECT_MAX) return text;
  return `${characters.slice(0, IN_SUBJECT_MAX - 1).join('')}…`;
}

/** Returns text that can stand in a header: one line, without control characters, of limited length. */
export function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, HEADER_MAX)
    .replace(/\p{Cs}$/u, '');
}
