/** `{{name}}`, with blanks around the name if one likes. Bounded, so that no text takes long. */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g;

const HEADER_MAX = 255;
/** Of a visitor's value, in characters, what stands in a subject: room for a name, not for a message. */
const IN_SUBJECT_MAX = 60;

/**
 * Fills the placeholders of a text. One pass: what a value contains is never looked at again, so a
 * visitor cannot bring placeholders of their own. A name nobody knows becomes nothing.
 */
export function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => values.get(name.trim()) ?? '');
}

/** Fills a subject: what visitors wrote is cut, since it may go to someone who is not that visitor. */
export function fillSubject(template: string, values: ReadonlyMap<string, string>): string {
  const short = [...values].map(([name, text]) => [name, cut(text)] as const);
  return headerText(fill(template, new Map(short)));
}

/** Cuts what a visitor wrote to what may stand in a subject. */
export function cut(text: string): string {
  const characters = Array.from(text);
  if (characters.length <= IN_SUBJECT_MAX) return text;
  return `${characters.slice(0, IN_SUBJECT_MAX - 1).join('')}…`;
}

/** Text that can stand in a header: one line, without control characters, of sensible length. */
export function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, HEADER_MAX)
    .replace(/\p{Cs}$/u, '');
}
