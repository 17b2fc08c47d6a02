import { lineLabel } from '../../submissions/model/answer-lines.js';
import type { Answer } from '../../submissions/model/preview.js';

/** Most quoted characters: browsers and mail programs cut links of about 2,000. */
const QUOTED_MAX = 1_200;

/** Returns a `mailto:` link that answers the visitor, with what was sent quoted below. */
export function replyAddress(to: string, answers: readonly Answer[], subject: string): string {
  const body = `\r\n\r\n${quote(answers)}`;
  // Not URLSearchParams: RFC 6068 knows no plus for a space.
  const fields = [`subject=${encodeURIComponent(subject)}`, `body=${encodeURIComponent(body)}`];
  return `mailto:${encodeURIComponent(to).replace('%40', '@')}?${fields.join('&')}`;
}

function quote(answers: readonly Answer[]): string {
  const lines = answers
    .filter(({ text }) => text.trim() !== '')
    // Values may be long: no more of each is split than could be quoted.
    .flatMap(({ name, path, text }) =>
      `${lineLabel(name, path)}: ${text.slice(0, QUOTED_MAX * 2)}`.split(/\r\n?|\n/),
    );
  const letters = Array.from(lines.map((line) => `> ${line}`).join('\r\n')).slice(0, QUOTED_MAX);
  return letters.join('').toWellFormed();
}
