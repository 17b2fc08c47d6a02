import { aroundAddresses, piecesOf } from './addresses.js';
import { finalBy, objectIn, refusedIn } from './answers.js';
import { jsonCall, SECRET_ADDRESS, type DestinationKind } from './kind.js';
import { escapedMarkdown } from './markdown.js';
import { escaped, plainText, summaryOf } from './summary.js';

const ANSWER_MAX = 1_000;
const ROOM = 8_000;
/** Room in the text for those who show no blocks: a character can become five (`&amp;`), and Mattermost takes 16,383. */
const TEXT_ROOM = 2_500;
/** Hosts at which Slack takes messages; others are of services that take them too, and read the text as Markdown. */
const HOST = /^hooks\.slack(?:-gov)?\.com$/;
/** Words by which Mattermost calls out a channel. */
const CALLS = /@(?=(?:all|channel|here)\b)/gi;

/** Posts to a channel by an incoming webhook of Slack, or of a service that takes the same. */
export const slack: DestinationKind = {
  settings: {
    url: SECRET_ADDRESS,
  },
  request: (full, { url = '' }, extras) => {
    const { title, answers, more, page } = summaryOf(full, extras, ANSWER_MAX, ROOM);
    const write = HOST.test(new URL(url).hostname) ? escaped : asMarkdown;
    return jsonCall(url, {
      text: plainText(summaryOf(full, extras, ANSWER_MAX, TEXT_ROOM), write),
      mrkdwn: false,
      unfurl_links: false,
      unfurl_media: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: title, emoji: false } },
        ...answers.map(({ label, text, href }) =>
          richText(
            { type: 'text', text: label, style: { bold: true } },
            { type: 'text', text: '\n' },
            ...(href === null ? runsOf(text) : [{ type: 'link', url: href, text }]),
          ),
        ),
        ...(more === null ? [] : [richText({ type: 'text', text: more })]),
        richText({ type: 'link', url: page, text: 'Open submission' }),
      ],
    });
  },
  /** Slack answers `ok`; a refusal can come with the status 200. */
  read: (ended) =>
    refusedIn(finalBy(ended), (body) => !/^\s*</.test(body) && objectIn(body).ok !== false),
};

/** Makes a block whose text is shown as it is: no mark of a visitor counts, nor a name that would be called out. */
function richText(...elements: object[]): object {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] };
}

function runsOf(text: string): object[] {
  return piecesOf(text).map((piece) =>
    piece.isAddress ? { type: 'link', url: piece.text } : { type: 'text', text: piece.text },
  );
}

/** Writes a text for Mattermost and its kin, which know the control characters of Slack too. */
function asMarkdown(text: string): string {
  return aroundAddresses(text, (part) =>
    escapedMarkdown(part)
      .replaceAll('&', '&amp;')
      .replace(/\\([<>])/g, (_, mark: string) => escaped(mark))
      .replace(CALLS, '@\u200b'),
  );
}
