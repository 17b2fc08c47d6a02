/** Encodings that are told by the bytes of a file; any other of the Encoding Standard has to be chosen. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** The one that bytes are read in which say nothing else. */
export const GUESSED: Encoding = 'windows-1252';

/** Tells whether the encoding of a file is a guess: its bytes are of many, and nobody chose one. */
export function isGuessed(found: string, chosen: string | null): boolean {
  return chosen === null && found === GUESSED;
}

/** Longest label that is looked at, in characters. */
const LABEL_MAX = 64;

/**
 * Reads a label of the Encoding Standard, such as `windows-1251`, `cp1251` or `Shift_JIS`.
 * @returns the name of its encoding, or null
 */
export function parseEncoding(label: unknown): string | null {
  if (typeof label !== 'string' || label.length > LABEL_MAX) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null; // no such label
  }
}
