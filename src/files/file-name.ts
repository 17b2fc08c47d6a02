import { beginningOf } from '../platform/kernel/text/beginning.js';

/** Longest name of a file, in characters. */
const FILE_NAME_MAX = 1_024;

/** Returns a file's name without folders, which some programs send (RFC 7578, section 4.2), cut between characters. */
export function fileNameOf(text: string): string {
  const last = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  return beginningOf(last, FILE_NAME_MAX);
}
