import { decodeWords } from 'postal-mime';
import { answers, type Behaviour, type ReceivedCall, type WebhookReceiver } from './webhook-receiver.js';

/** A service as its documentation describes it. */
export interface ChatService {
  /** Says what of a call breaks its contract. */
  problemsOf: (call: ReceivedCall) => string[];
  taken: (call: ReceivedCall) => Behaviour;
  refused: (problems: string[]) => Behaviour;
}

/** Makes a receiver take what keeps the contract of a service, and answer everything else with its error. */
export function behavesAs(receiver: WebhookReceiver, { problemsOf, ...service }: ChatService) {
  receiver.behaviour = (response, request) => {
    const problems = problemsOf(receiver.last);
    const answer = problems.length > 0 ? service.refused(problems) : service.taken(receiver.last);
    answer(response, request);
  };
}

type Json = Record<string, unknown>;
const JSON_TYPE = { 'content-type': 'application/json' };

/** Answers with JSON, which escapes all but ASCII, as PHP and many services do. */
export function answersJson(status: number, body: unknown, headers = {}): Behaviour {
  const ascii = JSON.stringify(body).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return answers(status, ascii, { ...JSON_TYPE, ...headers });
}

const objectOf = (value: unknown) => value as Json;
const listOf = (value: unknown) => (Array.isArray(value) ? (value as Json[]) : []);
const isLink = (value: unknown) => typeof value === 'string' && /^https?:\/\/\S+$/.test(value);
const linesOf = (checks: Record<string, boolean>) => Object.keys(checks).filter((problem) => checks[problem]);

/** Tells whether a text is missing, blank or longer than so many UTF-16 code units. */
function breaks(text: unknown, max: number): boolean {
  return typeof text !== 'string' || text.trim() === '' || text.length > max;
}

/** Returns all texts of a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Reads a body of JSON, and hands it to the checks. */
function json(checks: (body: Json, call: ReceivedCall) => Record<string, boolean>) {
  return (call: ReceivedCall): string[] => {
    const body = JSON.parse(call.body) as Json;
    return linesOf({
      'is no JSON by its type': !/^application\/json\b/.test(call.headers['content-type'] ?? ''),
      'has half of a character': textsIn(body).some((text) => !text.isWellFormed()),
      ...checks(body, call),
    });
  };
}

/** Incoming webhooks and Block Kit of Slack. */
export const SLACK: ChatService = {
  problemsOf: json(({ text, blocks, mrkdwn }) => {
    const all = listOf(blocks);
    const of = (type: string) => all.filter((block) => block.type === type);
    const headers = of('header').map((block) => objectOf(block.text));
    const rich = of('rich_text').map(({ elements }) => listOf(elements));
    const runs = rich.flatMap((sections) => sections.flatMap(({ elements }) => listOf(elements)));
    return {
      'no text': breaks(text, 40_000),
      'text for Mattermost is too long': String(text).length > 16_383,
      'text is read as markup': mrkdwn !== false,
      'more than 50 blocks': all.length > 50,
      'unknown blocks': headers.length + rich.length !== all.length,
      'header is no plain text': headers.some(({ type }) => type !== 'plain_text'),
      'header is too long': headers.some((header) => breaks(header.text, 150)),
      'section is too long': rich.some((section) => textsIn(section).join('').length > 3_000),
      'unknown sections': rich.flat().some(({ type }) => type !== 'rich_text_section'),
      'unknown runs': runs.some(({ type, url }) => type !== 'text' && !(type === 'link' && isLink(url))),
      'empty run': runs.some((run) => 'text' in run && (run.text === '' || run.text === null)),
      'control characters': /[<>]|&(?!amp;|lt;|gt;)/.test(String(text).replace(/https?:\/\/[^\s<>]+/g, '')),
    };
  }),
  taken: () => answers(200, 'ok'),
  refused: (problems) => answers(400, `invalid_blocks: ${problems.join()}`),
};

/** Webhooks and embeds of Discord, which trims texts before it counts them. */
export const DISCORD: ChatService = {
  problemsOf: json(({ embeds, allowed_mentions: allowed }, { path }) => {
    const all = listOf(embeds);
    const fields = all.flatMap((embed) => listOf(embed.fields));
    const footers = all.flatMap(({ footer }) => (footer ? [objectOf(footer).text] : []));
    const counted = textsIn([all.map(({ title }) => title), fields, footers]);
    return {
      'not awaited': !path.includes('wait=true'),
      'no embed, or more than ten': all.length < 1 || all.length > 10,
      title: all.some(({ title }) => breaks(title, 256)),
      url: all.some(({ url }) => !isLink(url)),
      'more than 25 fields': all.some((embed) => listOf(embed.fields).length > 25),
      'name of a field': fields.some(({ name }) => breaks(name, 256)),
      'value of a field': fields.some(({ value }) => breaks(value, 1_024)),
      footer: footers.some((footer) => breaks(footer, 2_048)),
      'more than 6,000 characters': counted.join('').length > 6_000,
      'mentions people': JSON.stringify(allowed) !== '{"parse":[]}',
    };
  }),
  taken: () => answersJson(200, { id: '1', type: 0, content: '' }),
  refused: (problems) => answersJson(400, { code: 50035, message: 'Invalid Form Body', errors: problems }),
};

/** A workflow of Teams that posts adaptive cards. */
export const TEAMS: ChatService = {
  problemsOf: json(({ type, attachments }, { body }) => {
    const [attachment, ...others] = listOf(attachments);
    const card = objectOf(attachment?.content ?? {});
    const lines = listOf(card.body);
    const runs = lines.flatMap(({ inlines }) => listOf(inlines));
    const actions = [
      ...listOf(card.actions),
      ...runs.flatMap(({ selectAction }) => (selectAction ? [objectOf(selectAction)] : [])),
    ];
    return {
      'larger than 28 KB': Buffer.byteLength(body) > 28 * 1024,
      'no message': type !== 'message',
      'not one card': others.length > 0 || attachment?.contentType !== 'application/vnd.microsoft.card.adaptive',
      'no adaptive card 1.4': card.type !== 'AdaptiveCard' || card.version !== '1.4',
      'unknown elements': lines.some((line) => line.type !== 'RichTextBlock'),
      'empty run': runs.length === 0 || runs.some(({ text }) => breaks(text, Infinity)),
      'unknown action': actions.some((action) => action.type !== 'Action.OpenUrl' || !isLink(action.url)),
    };
  }),
  taken: () => answers(202),
  refused: (problems) =>
    answers(
      200,
      `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 413 with ${problems.join()}`,
    ),
};

/** The method sendMessage of the Bot API of Telegram. */
export const TELEGRAM: ChatService = {
  problemsOf: json(({ chat_id: chat, text, parse_mode: mode }, { path }) => ({
    path: !/^\/bot\d+:[\w-]{30,}\/sendMessage$/.test(path),
    chat: breaks(chat, 100),
    'message text is empty or too long': breaks(text, 4_096),
    'can’t parse entities': mode !== undefined,
  })),
  taken: ({ body }) => answersJson(200, { ok: true, result: { message_id: 1, ...(JSON.parse(body) as Json) } }),
  refused: (problems) =>
    answersJson(400, { ok: false, error_code: 400, description: `Bad Request: ${problems.join()}` }),
};

/** Incoming webhooks and cards of Google Chat. */
export const GOOGLE_CHAT: ChatService = {
  problemsOf: json(({ cardsV2 }, { body }) => {
    const all = listOf(cardsV2);
    const cards = all.map(({ card }) => objectOf(card));
    const widgets = cards.flatMap(({ sections }) => listOf(sections)).flatMap((section) => listOf(section.widgets));
    const texts = widgets.flatMap(({ decoratedText, textParagraph }) =>
      decoratedText || textParagraph ? [objectOf(decoratedText ?? textParagraph).text] : [],
    );
    return {
      'larger than 32 KB': Buffer.byteLength(body) > 32_000,
      'not one card': all.length !== 1 || breaks(all[0]?.cardId, 64),
      'no title': cards.some(({ header }) => breaks(objectOf(header).title, Infinity)),
      'no widgets, or more than 100': widgets.length === 0 || widgets.length > 100,
      'unknown widgets': widgets.some(
        (widget) => !/^(?:decoratedText|textParagraph|buttonList)$/.test(Object.keys(widget).join()),
      ),
      'empty text': texts.some((text) => breaks(text, Infinity)),
      'markup of a visitor': texts.some((text) =>
        /[<>]/.test(String(text).replace(/<a href="https?:[^"<>]+">[^<>]+<\/a>/g, '')),
      ),
    };
  }),
  taken: () => answersJson(200, { name: 'spaces/AAAA/messages/BBBB', cardsV2: [] }),
  refused: (problems) =>
    answersJson(400, { error: { code: 400, message: problems.join(), status: 'INVALID_ARGUMENT' } }),
};

/** Returns the title of a notification, which is an encoded word (RFC 2047) or several if it is not ASCII. */
export function titleOf({ headers: { title = '' } }: ReceivedCall): string {
  return decodeWords(title);
}

/** Publishing to a topic of ntfy. */
export const NTFY: ChatService = {
  problemsOf: ({ headers, body }) =>
    linesOf({
      'no text': !/^text\/plain; charset=utf-8$/.test(headers['content-type'] ?? ''),
      'empty or larger than 4,096 bytes': body === '' || Buffer.byteLength(body) > 4_096,
      'title is not ASCII': !/^[\x20-\x7e]+$/.test(headers.title ?? ''),
      'encoded word is too long': (headers.title?.match(/=\?\S+/g) ?? []).some((word) => word.length > 75),
      'half of a character': body.includes('\ufffd'),
      click: !isLink(headers.click),
    }),
  taken: () => answersJson(200, { id: 'sPs71M8A2T28', event: 'message' }),
  refused: (problems) => answersJson(400, { code: 40_000, http: 400, error: problems.join() }),
};
