/** `{{name}}`, with blanks around the name if one likes. Bounded, so that no text takes long. */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g;

const HEADER_MAX = 255;

/**
 * Fills the placeholders of a text. One pass: what a value contains is never looked at again, so a
 * visitor cannot bring placeholders of their own. A name nobody knows becomes nothing.
 */
export function fill(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => values.get(name.trim()) ?? '');
}

/** Text that can stand in a header: one line, without control characters, of sensible length. */
export function headerText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, HEADER_MAX)
    .replace(/\p{Cs}$/u, '');
}
