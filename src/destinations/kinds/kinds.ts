import { aroundAddresses, piecesOf, escapedMarkdown } from './addresses.js';
import {
  finalBy,
  objectIn,
  readBy,
  refusedIn,
  jsonCall,
  SECRET_ADDRESS,
  type DestinationKind,
  type KindSettings,
  waiting,
  escaped,
  plainText,
  summaryOf,
  type Answer,
  fitting,
  ADDRESS,
} from './kind.js';
import { email, visitorEmail } from './email.js';
import { templateProblem, cutAt } from '../../platform/index.js';
import { bodyOf, FORMATS, type FormatName } from './formats.js';
import { SIGNATURES, signatureHeaders, type SignatureName } from './signatures.js';
import { googleSheets } from './google-sheets.js';
import { telegram } from './telegram.js';

/** Longest answer, and room of all answers, in characters. */
const CHAT_ANSWER_MAX = 1_000;
const CHAT_ROOM = 8_000;
/** Room in the text for those who show no blocks: a character can become five (`&amp;`), and Mattermost takes 16,383. */
const TEXT_ROOM = 2_500;
/** Hosts at which Slack takes messages; others are of services that take them too, and read the text as Markdown. */
const SLACK_HOST = /^hooks\.slack(?:-gov)?\.com$/;
/** Words by which Mattermost calls out a channel. */
const CALLS = /@(?=(?:all|channel|here)\b)/gi;

/** Posts to a channel by an incoming webhook of Slack, or of a service that takes the same. */
const slack: DestinationKind = {
  label: 'Slack',
  hint: 'In Slack, create an app, turn on Incoming Webhooks, add one to a channel and copy its URL.',
  settings: { url: SECRET_ADDRESS },
  request: (full, { url = '' }, extras) => {
    const { title, answers, more, page } = summaryOf(full, extras, CHAT_ANSWER_MAX, CHAT_ROOM);
    const write = SLACK_HOST.test(new URL(url).hostname) ? escaped : asMarkdown;
    return jsonCall(url, {
      text: plainText(summaryOf(full, extras, CHAT_ANSWER_MAX, TEXT_ROOM), write),
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
  read: (ended) => refusedIn(finalBy(ended), (body) => !/^\s*</.test(body) && objectIn(body).ok !== false),
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
function asMarkdown(text: string) {
  return aroundAddresses(text, (part) =>
    escapedMarkdown(part)
      .replaceAll('&', '&amp;')
      .replace(/\\([<>])/g, (_, mark: string) => escaped(mark))
      .replace(CALLS, '@\u200b'),
  );
}

/** Longest answer that fits into a field of 1,024 characters, when each can become two. */
const DISCORD_ANSWER_MAX = 500;
/** Longest name of a file, in characters: its link is in the same field. */
const FILE_MAX = 200;
/** Characters of an embed are at most 6,000 in all. */
const DISCORD_ROOM = 2_500;

/** Posts to a channel by a webhook of Discord. */
const discord: DestinationKind = {
  label: 'Discord',
  hint: 'In Discord, open the channel’s settings, then Integrations and Webhooks, and copy the URL of a new one.',
  settings: { url: SECRET_ADDRESS },
  request: (full, { url = '' }, extras) => {
    const { title, answers, more, page } = summaryOf(full, extras, DISCORD_ANSWER_MAX, DISCORD_ROOM);
    return jsonCall(awaited(url), {
      // No visitor calls out everybody.
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: escapedMarkdown(title),
          url: page,
          fields: answers.map((answer) => ({ name: escapedMarkdown(answer.label), value: valueOf(answer) })),
          ...(more !== null && { footer: { text: more } }),
        },
      ],
    });
  },
  read: (ended) => finalBy(waiting(ended, objectIn(ended.answer).retry_after)),
};

/** Asks Discord to answer once the message is stored. */
function awaited(url: string) {
  const address = new URL(url);
  address.searchParams.set('wait', 'true');
  return address.href;
}

function valueOf({ text, href }: Answer) {
  return href === null ? escapedMarkdown(text) : `[${escapedMarkdown(cutAt(text, FILE_MAX))}](${href})`;
}

/** Largest message, in bytes. */
const TEAMS_MESSAGE_MAX = 28 * 1_024;

/** Posts an adaptive card to a channel or a chat by a workflow of Microsoft Teams. */
const teams: DestinationKind = {
  label: 'Microsoft Teams',
  hint: 'In Teams, open Workflows, choose “Send webhook alerts to a channel” and copy the URL.',
  settings: { url: SECRET_ADDRESS },
  request: (full, { url = '' }, extras) =>
    fitting(TEAMS_MESSAGE_MAX, CHAT_ROOM, (room) => {
      const { title, answers, more, page } = summaryOf(full, extras, CHAT_ANSWER_MAX, room);
      const run = (text: string, more: object = {}) => ({ type: 'TextRun', text, ...more });
      const open = (url: string) => ({ selectAction: { type: 'Action.OpenUrl', url } });
      // Runs of text are shown as they are; blocks of text would be read as Markdown.
      const lines = (...inlines: object[]) => ({ type: 'RichTextBlock', inlines });
      return jsonCall(url, {
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            contentUrl: null,
            content: {
              $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
              type: 'AdaptiveCard',
              version: '1.4',
              body: [
                lines(run(title, { weight: 'Bolder', size: 'Medium' })),
                ...answers.flatMap(({ label, text, href }) => [
                  lines(run(label, { weight: 'Bolder' })),
                  lines(
                    ...(href === null
                      ? piecesOf(text).map((piece) => run(piece.text, piece.isAddress ? open(piece.text) : {}))
                      : [run(text, open(href))]),
                  ),
                ]),
                ...(more === null ? [] : [lines(run(more, { isSubtle: true }))]),
              ],
              actions: [{ type: 'Action.OpenUrl', title: 'Open submission', url: page }],
            },
          },
        ],
      });
    }),
  /** A workflow can answer 200 and say in the text that Teams refused. */
  read: (ended) => refusedIn(finalBy(ended), (body) => !/HTTP error \d{3}/.test(body)),
};

/** Largest message, in bytes. */
const GOOGLE_MESSAGE_MAX = 32_000;

/** Posts a card to a space by a webhook of Google Chat. */
const googleChat: DestinationKind = {
  label: 'Google Chat',
  hint: 'In the space, open Apps & integrations, then Webhooks, and copy the URL of a new one.',
  settings: { url: SECRET_ADDRESS },
  request: (full, { url = '' }, extras) =>
    fitting(GOOGLE_MESSAGE_MAX, CHAT_ROOM, (room) => {
      const { title, answers, more, page } = summaryOf(full, extras, CHAT_ANSWER_MAX, room);
      const open = (link: string) => ({ onClick: { openLink: { url: link } } });
      return jsonCall(url, {
        cardsV2: [
          {
            cardId: 'submission',
            card: {
              header: { title },
              sections: [
                {
                  widgets: [
                    ...answers.map(({ label, text, href }) => ({
                      decoratedText: {
                        topLabel: label,
                        text: asHtml(text),
                        wrapText: true,
                        ...(href !== null && open(href)),
                      },
                    })),
                    ...(more === null ? [] : [{ textParagraph: { text: more } }]),
                    { buttonList: { buttons: [{ text: 'Open submission', ...open(page) }] } },
                  ],
                },
              ],
            },
          },
        ],
      });
    }),
  read: finalBy,
};

/** Writes a text as cards take it, with links at its addresses. */
function asHtml(text: string) {
  return piecesOf(text)
    .map(({ text: part, isAddress }) => (isAddress ? `<a href="${escaped(part)}">${escaped(part)}</a>` : escaped(part)))
    .join('');
}

/** Posts to any address. */
const webhook: DestinationKind = {
  label: 'Webhook',
  hint: 'Works with Zapier, Make, n8n and your own server.',
  settings: {
    url: { ...ADDRESS, isRequired: true },
    format: { label: 'Body', max: 32, choices: labelsOf(FORMATS) },
    template: {
      label: 'Template of the body',
      hint: 'For the body “A template of your own”, in Liquid: {"from": {{ fields.email | json }}}',
      fold: 'Template, secret and header',
      ...{ max: 10_000, isLong: true, parse: readBy((text) => templateProblem(text, true)) },
    },
    signature: { label: 'Signature', max: 32, choices: labelsOf(SIGNATURES) },
    secret: {
      label: 'Secret',
      hint: 'Signs each call. Leave it empty and we make one.',
      fold: 'Template, secret and header',
      max: 128,
      isSecret: true,
      isSigned: true,
      pattern: /^whsec_[A-Za-z\d+/]{32,88}={0,2}$/,
      must: 'must be whsec_ and base64 of 24 to 64 bytes (Standard Webhooks)',
    },
    previous_secret: { max: 128, isSecret: true, isSigned: true, isOurs: true },
    previous_until: { max: 32, isSecret: true, isSigned: true, isOurs: true },
    authorization: {
      label: 'Authorization header',
      hint: 'For services that ask for a key, such as Bearer abc123.',
      fold: 'Template, secret and header',
      max: 2_000,
      isSecret: true,
      pattern: /^[\x20-\x7e]+$/,
      must: 'must have ASCII characters only',
    },
  },
  missing: ({ format, template }) => (format === 'template' && template === undefined ? ['template'] : []),
  request: (full, settings, { id, now, fileLinks }) => {
    const { url = '', secret = '', authorization, template } = settings;
    const { body, headers } = bodyOf((settings.format ?? 'standard') as FormatName, full, { fileLinks, template });
    const signature = (settings.signature ?? 'standard') as SignatureName;
    const former = formerUntil(settings, now) ? [settings.previous_secret ?? ''] : [];
    return {
      url,
      headers: {
        ...headers,
        ...signatureHeaders(signature, id, now, body, [secret, ...former]),
        ...(authorization !== undefined && { authorization }),
      },
      body,
    };
  },
};

/** Returns the names of choices on pages. */
function labelsOf(choices: Readonly<Record<string, { label: string }>>): Record<string, string> {
  return Object.fromEntries(Object.entries(choices).map(([name, { label }]) => [name, label]));
}

/**
 * Returns until when the previous secret of a webhook signs too, so that receivers can change over; null when it does not.
 * Only the standard signature has room for two.
 */
export function formerUntil(settings: KindSettings, now: Date): Date | null {
  const { signature = 'standard', previous_until: until } = settings;
  if (signature !== 'standard' || until === undefined) return null;
  return new Date(until) > now ? new Date(until) : null;
}

const WEBHOOK_ANSWER_MAX = 500;
const WEBHOOK_ROOM = 3_000;
/** Largest message of ntfy, in bytes. */
const MESSAGE_MAX = 4_096;
/** Characters of an encoded word: as base64 of UTF-8 they have at most the 63 that it has room for. */
const WORD = /.{1,11}/gsu;

/** Posts plain text with a title, as ntfy and its kin take it. */
const plain: DestinationKind = {
  label: 'ntfy or plain text',
  hint: 'Use the address of a topic, such as https://ntfy.sh/your-topic. Anyone who knows it can read it.',
  settings: {
    url: SECRET_ADDRESS,
    token: {
      label: 'Token',
      hint: 'If the server asks for one.',
      max: 1_000,
      isSecret: true,
      pattern: /^[\x21-\x7e]+$/,
      must: 'must have visible ASCII characters only',
    },
  },
  request: (full, { url = '', token }, extras) =>
    fitting(MESSAGE_MAX, WEBHOOK_ROOM, (room) => {
      const summary = summaryOf(full, extras, WEBHOOK_ANSWER_MAX, room);
      return {
        url,
        headers: {
          'content-type': 'text/plain; charset=utf-8',
          title: encodedWords(summary.title),
          click: summary.page,
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: plainText({ ...summary, title: '' }).trimStart(),
      };
    }),
  read: finalBy,
};

/** Writes a text as a header takes it: as encoded words (RFC 2047) unless it is ASCII. */
function encodedWords(text: string) {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return Array.from(text.matchAll(WORD), ([part]) => {
    return `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`;
  }).join(' ');
}

/** Kinds of destinations, by name. */
export const KINDS = {
  email,
  visitor_email: visitorEmail,
  slack,
  discord,
  teams,
  telegram,
  google_chat: googleChat,
  google_sheets: googleSheets,
  webhook,
  plain,
} as const satisfies Record<string, DestinationKind>;

export type KindName = keyof typeof KINDS;
/** Kinds of which there can be several; the mail to the visitor is one of the first destinations of a form. */
export const KIND_NAMES = (Object.keys(KINDS) as KindName[]).filter((name) => name !== 'visitor_email');

/** Returns a kind by its name. */
export function kindOf(name: KindName): DestinationKind {
  return KINDS[name];
}
