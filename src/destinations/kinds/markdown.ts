import { aroundAddresses } from './addresses.js';

/** Marks that count at the beginning of a line alone: of lists, and of a number in one. */
const LINE_MARKS = /^([ \t]*)([-+=]|\d{1,9}(?=[.)]))/gmu;

/** Escapes what Discord, Mattermost and their kin read as Markdown; addresses stay as they are. */
export function escapedMarkdown(text: string): string {
  return aroundAddresses(text, (part) =>
    part
      .replace(/[\\*_~`|<>[\]()#]/g, '\\$&')
      .replace(LINE_MARKS, (_, blanks: string, mark: string) =>
        /\d/.test(mark) ? `${blanks}${mark}\\` : `${blanks}\\${mark}`,
      ),
  );
}
