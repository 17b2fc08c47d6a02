import { cutAt } from '../../platform/index.js';
import type { Fact } from './layout.js';

/** Longest value in a mail, in characters. What is longer is at the page of its submission. */
const VALUE_MAX = 8_000;
/** Longest name of a field, in characters. */
const NAME_MAX = 200;
/** Bytes of HTML for facts: Gmail hides what comes after 102 kB, and the rest of a mail needs some. */
export const FACTS_BYTES = 78_000;
/** Bytes of HTML around a fact's name and value, and around what else it has. */
const FACT_BYTES = 400;
const PART_BYTES = 100;
/** Bytes that characters take more in HTML than in text; a line break becomes an element. */
const MORE_BYTES: Record<string, number> = { '&': 4, '<': 3, '"': 5, '\n': 5, '\r': 5 };

/** Facts for a mail, and how many found no room in it. */
export interface Fitted {
  facts: Fact[];
  left: number;
  /** Bytes of HTML that they take at most. */
  bytes: number;
}

/**
 * Cuts long texts, with a link to the whole of them, and takes as many facts as fit.
 * @param page where the rest is
 */
export function cutToFit(all: Fact[], page: string, maxBytes: number): Fitted {
  const fitted: Fact[] = [];
  let bytes = 0;
  for (const each of all) {
    const fact = shortened(each, page);
    const size = sizeOf(fact);
    if (bytes + size > maxBytes) break;
    bytes += size;
    fitted.push(fact);
  }
  return { facts: fitted, left: all.length - fitted.length, bytes };
}

function shortened(fact: Fact, page: string): Fact {
  const label = cutAt(fact.label, NAME_MAX);
  if (fact.text.length <= VALUE_MAX) return { ...fact, label };
  const characters = fact.text.length.toLocaleString('en');
  const more = { label: `Read all ${characters} characters`, href: page };
  return { ...fact, label, text: cutAt(fact.text, VALUE_MAX), more };
}

function sizeOf({ label, text, href, note, more }: Fact) {
  const parts = [href, note, more && more.label + more.href].filter((part) => part !== undefined);
  const around = FACT_BYTES + PART_BYTES * parts.length;
  return [label, text, ...parts].reduce((sum, each) => sum + bytesOf(each), around);
}

function bytesOf(text: string) {
  let bytes = Buffer.byteLength(text);
  for (const character of text) bytes += MORE_BYTES[character] ?? 0;
  return bytes;
}
