import { chosenParts } from '../../platform/kernel/text/liquid.js';

/** `{{name}}`, with optional blanks around the name. The length is limited, so that no text takes long. */
const PLACEHOLDER = /\{\{([^{}]{1,300})\}\}/g;

/** Most characters that values add to a text: a form's owner and a visitor together decide how often a value is in it. */
const VALUES_MAX = 32 * 1024;
/** Says that values were cut. */
export const CUT = 'Some of this text was left out, because it is too long for an email.';

/** Longest text in a header, in characters. */
const HEADER_MAX = 255;
/** Longest value of a visitor in a subject, in characters: room for a name, not for a message. */
const IN_SUBJECT_MAX = 60;

/**
 * Fills the placeholders of a text in one pass: values are never scanned, so a visitor cannot bring
 * placeholders. An unknown name becomes nothing. Values beyond VALUES_MAX are cut, and the text says so.
 */
export function fill(template: string, values: ReadonlyMap<string, string>): string {
  const filling = new Filling(values);
  const filled = filling.of(chosenParts(template, values));
  return filling.isCut ? `${filled}\n\n${CUT}` : filled;
}

/** Fills several texts of one mail, which have VALUES_MAX of values together. */
export class Filling {
  private added = 0;

  constructor(private readonly values: ReadonlyMap<string, string>) {}

  /** Tells whether a value was cut. */
  get isCut(): boolean {
    return this.added > VALUES_MAX;
  }

  /** @param written how a value is written in this place; as it is by default */
  of(template: string, written = (value: string) => value): string {
    return template.replace(PLACEHOLDER, (_, name: string) => {
      const value = this.values.get(name.trim()) ?? '';
      const room = Math.max(VALUES_MAX - this.added, 0);
      this.added += value.length;
      return written(
        value
          .slice(0, room)
          .replace(/\p{Cs}$/u, '')
          .toWellFormed(),
      );
    });
  }
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
