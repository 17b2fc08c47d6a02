import { jsonCall, SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { finalBy, objectIn, refusedIn } from './answers.js';
import { escaped, summaryOf, type Answer } from './summary.js';

/** Longest answer that fits into a section of 3,000 characters with its label, when each can become five (`&amp;`). */
const ANSWER_MAX = 450;
const ROOM = 12_000;

/** Posts to a channel by an incoming webhook of Slack. */
export const slack: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
  },
  request: (full, { url = '' }, extras) => {
    const { title, answers, more, page } = summaryOf(full, extras, ANSWER_MAX, ROOM);
    // Verbatim: Slack looks for no `@here` of a visitor in it.
    const block = (text: string) => ({
      type: 'section',
      text: { type: 'mrkdwn', text, verbatim: true },
    });
    return jsonCall(url, {
      text: escaped(title),
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
        ...answers.map((answer) => block(`*${escaped(answer.label)}*\n${textOf(answer)}`)),
        ...(more === null ? [] : [block(more)]),
        block(`<${page}|Open submission>`),
      ],
    });
  },
  /** Slack answers `ok`; a refusal can come with the status 200. */
  read: (ended) =>
    refusedIn(finalBy(ended), (body) => !/^\s*</.test(body) && objectIn(body).ok !== false),
};

function textOf({ text, href }: Answer): string {
  return href === null ? escaped(text) : `<${href}|${escaped(text).replaceAll('|', '¦')}>`;
}
