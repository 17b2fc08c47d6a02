import { cutAt } from '../../platform/kernel/text/beginning.js';
import { finalBy, objectIn, waiting } from './answers.js';
import { escapedMarkdown } from './markdown.js';
import { jsonCall, SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { summaryOf, type Answer } from './summary.js';

/** Longest answer that fits into a field of 1,024 characters, when each can become two. */
const ANSWER_MAX = 500;
/** Longest name of a file, in characters: its link is in the same field. */
const FILE_MAX = 200;
/** Characters of an embed are at most 6,000 in all. */
const ROOM = 2_500;

/** Posts to a channel by a webhook of Discord. */
export const discord: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
  },
  request: (full, { url = '' }, extras) => {
    const { title, answers, more, page } = summaryOf(full, extras, ANSWER_MAX, ROOM);
    return jsonCall(awaited(url), {
      // No visitor calls out everybody.
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: escapedMarkdown(title),
          url: page,
          fields: answers.map((answer) => ({
            name: escapedMarkdown(answer.label),
            value: valueOf(answer),
          })),
          ...(more !== null && { footer: { text: more } }),
        },
      ],
    });
  },
  read: (ended) => finalBy(waiting(ended, objectIn(ended.answer).retry_after)),
};

/** Asks Discord to answer once the message is stored. */
function awaited(url: string): string {
  const address = new URL(url);
  address.searchParams.set('wait', 'true');
  return address.href;
}

function valueOf({ text, href }: Answer): string {
  return href === null
    ? escapedMarkdown(text)
    : `[${escapedMarkdown(cutAt(text, FILE_MAX))}](${href})`;
}
