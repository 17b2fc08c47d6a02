import type { ComponentChildren } from 'preact';

/** A name and its value. */
export interface Fact {
  label: string;
  /** Keeps its line breaks; a dash stands for an empty one. */
  text: string;
  /** Makes the text a link. */
  href?: string;
  /** A word on the text, in small letters after it, such as the size of a file. */
  note?: string;
  /** Link to the whole of a cut text. */
  more?: { label: string; href: string };
}

/** A part of a mail. */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'button'; label: string; href: string }
  | { kind: 'code'; text: string }
  | { kind: 'facts'; facts: Fact[] }
  /** HTML of the owner that was checked, with its plain text. */
  | { kind: 'html'; content: ComponentChildren; text: string };

/** Longest text in characters that plain text puts on one line with its label. */
const ONE_LINE_MAX = 60;
const EMPTY = '–';

/** Makes a paragraph, which keeps its line breaks. */
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });

/** Makes the button of a mail, at most one. */
export const button = (label: string, href: string): Block => ({ kind: 'button', label, href });

/** Makes a text to be copied letter by letter: a code, a command or a setting. */
export const code = (text: string): Block => ({ kind: 'code', text });

/** Makes a table of names and values. */
export const facts = (rows: Fact[]): Block => ({ kind: 'facts', facts: rows });

/** Returns a text, or a dash for an empty one. */
export const shown = (text: string): string => (text.trim() === '' ? EMPTY : text);

/** Returns a part as plain text. */
export function blockText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'code':
    case 'html':
      return block.text;
    case 'button':
      return `${block.label}:\n${block.href}`;
    case 'facts':
      return block.facts.map(factText).reduce(joined, '');
  }
}

function factText({ label, text, href, note, more }: Fact): string {
  const gap = text.length <= ONE_LINE_MAX && !/[\r\n]/.test(text) ? ' ' : '\n';
  const remark = note === undefined ? '' : `${gap}(${note})`;
  const rest = more === undefined ? '' : `\n${more.label}: ${more.href}`;
  return `${label}:${gap}${shown(text)}${remark}${href ? `\n${href}` : ''}${rest}`;
}

/** Puts an empty line around parts of several lines. */
function joined(before: string, fact: string, index: number, all: string[]): string {
  if (index === 0) return fact;
  const isApart = fact.includes('\n') || (all[index - 1]?.includes('\n') ?? false);
  return `${before}${isApart ? '\n\n' : '\n'}${fact}`;
}
