import {
  behavesAs,
  DISCORD,
  GOOGLE_CHAT,
  NTFY,
  SLACK,
  TEAMS,
  TELEGRAM,
  type ChatService,
} from '../support/chat-services.js';
import { addDestination, sendAndDeliver, TAKEN } from '../support/destinations.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { useReceiver } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const receiver = useReceiver();
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact', notify_owner_on_submission: false });
/** An answer as its reader sees it, and the addresses that they can open. */
interface Shown {
  text: string;
  links: string[];
}
/** Marks of a run, a field or a widget of a message. */
interface Run {
  type?: string;
  text?: string;
  url?: string;
  name?: string;
  value?: string;
  selectAction?: { url: string };
  elements?: Run[];
  inlines?: Run[];
  decoratedText?: { topLabel: string; text: string };
}
/** A message as far as some kind has it. */
interface Message {
  text: string;
  blocks: Run[];
  embeds: { fields: Run[] }[];
  attachments: { content: { body: Run[] } }[];
  cardsV2: { card: { sections: { widgets: Run[] }[] } }[];
}
const LINK = /https?:\/\/\S+/g;
const readPlain = (text: string) => ({ text, links: text.match(LINK) ?? [] });
/** Reads Markdown in which all marks are escaped. */
const readMarkdown = (text: string) => readPlain(text.replace(/\\([^A-Za-z\d\s])/g, '$1'));
const joined = (parts: Shown[], between = '\n') => ({
  text: parts.map(({ text }) => text).join(between),
  links: parts.flatMap(({ links }) => links),
});
const unescaped = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const readRuns = (runs: Run[] = []) =>
  joined(
    runs.map(({ text, url, selectAction }) => {
      const link = url ?? selectAction?.url;
      return { text: text ?? url ?? '', links: link === undefined ? [] : [link] };
    }),
    '',
  );
const readHtml = (html: string) => ({
  text: unescaped(html.replace(/<\/?a[^<>]*>/g, '')),
  links: Array.from(html.matchAll(/href="([^"]+)"/g), ([, href = '']) => unescaped(href)),
});

/** Kinds, with the service that each stands for, and what that shows of a message. */
const KINDS: [string, ChatService, (message: Message, body: string) => Shown][] = [
  [
    'slack',
    SLACK,
    ({ blocks }) => joined(blocks.flatMap(({ elements = [] }) => elements.map((each) => readRuns(each.elements)))),
  ],
  ['slack', SLACK, ({ text }) => readMarkdown(unescaped(text))],
  [
    'discord',
    DISCORD,
    ({ embeds }) =>
      joined(
        embeds.flatMap(({ fields }) => fields.map(({ name = '', value = '' }) => readMarkdown(`${name}\n${value}`))),
      ),
  ],
  [
    'teams',
    TEAMS,
    ({ attachments }) =>
      joined(attachments.flatMap(({ content }) => content.body.map(({ inlines }) => readRuns(inlines)))),
  ],
  ['telegram', TELEGRAM, ({ text }) => readPlain(text)],
  [
    'google_chat',
    GOOGLE_CHAT,
    ({ cardsV2 }) =>
      joined(
        cardsV2.flatMap(({ card }) =>
          card.sections.flatMap(({ widgets }) =>
            widgets.flatMap(({ decoratedText }) =>
              decoratedText ? [{ text: decoratedText.topLabel, links: [] }, readHtml(decoratedText.text)] : [],
            ),
          ),
        ),
      ),
  ],
  ['plain', NTFY, (_, body) => readPlain(body)],
];

/** Sends values to a kind. @returns what is shown there */
async function shown(
  kind: string,
  stands: ChatService,
  read: (message: Message, body: string) => Shown,
  values: object,
) {
  behavesAs(receiver, stands);
  await addDestination(owner, form, kind, receiver);
  expect(await sendAndDeliver(service(), owner, form, values)).toMatchObject(TAKEN);
  const { body } = receiver.last;
  return read((kind === 'plain' ? {} : JSON.parse(body)) as Message, body);
}

const MARKS = [
  'this is _not_ italic',
  'I *really* want _this_',
  '~~gone~~ `code` ||hidden|| **bold** __under__',
  '- one\n- two\n1. three\n# four\n> five',
  '[a](b) <b>x</b> &amp; <!channel> <@U1> :smile: \\n \\_',
  'a_b c*d 2*3*4 \'q\' "r" (s) {t} ~u^',
];

describe.each(KINDS)('What a visitor types, as %s shows it', (kind, stands, read) => {
  it.each(MARKS)('is as typed: %j', async (message) => {
    expect((await shown(kind, stands, read, { message })).text).toContain(message);
  });

  it('is as labeled, whatever the labels have', async () => {
    await owner.setFields(form, [
      { name: 'a', label: '*Name*' },
      { name: 'b', label: 'a_b_c' },
    ]);
    const { text } = await shown(kind, stands, read, { a: 'x', b: 'y', '_c_ d': 'z' });
    for (const label of ['*Name*', 'a_b_c', '_c_ d']) expect(text).toContain(label);
  });

  it.each([
    ['https://example.com/my_page_one?a=b_c', 'https://example.com/my_page_one?a=b_c'],
    ['_see_ https://example.com/a_b*c?d=*e*&f=g. *Now*', 'https://example.com/a_b*c?d=*e*&f=g'],
    ['(http://example.com/x_(y))', 'http://example.com/x_(y'],
  ])('has its addresses whole: %j', async (message, address) => {
    const { text, links } = await shown(kind, stands, read, { message });
    expect(text).toContain(message);
    expect(links.some((link) => link.startsWith(address))).toBe(true);
  });

  it('has a line for each of what is nested, and no file that was sent as text', async () => {
    const values = {
      data: { email: 'ann@example.com', address: { town: 'Bath' } },
      items: [{ name: 'Cake' }, { name: 'Tea' }],
      sign: `data:image/png;base64,${'QUJD'.repeat(500)}`,
    };
    const { text } = await shown(kind, stands, read, values);
    for (const label of ['Data, email', 'Data, address, town', 'Items 2, name']) {
      expect(text).toContain(label);
    }
    expect(text).toContain('image, 1.5 KiB');
    expect(text).not.toContain('QUJDQUJD');
  });

  it('shares the room: short answers are whole, and none of the long ones is dropped', async () => {
    const long = Object.fromEntries(
      ['first', 'second', 'third', 'fourth', 'fifth'].map((name) => [name, `${name} `.repeat(2_000)]),
    );
    const { text } = await shown(kind, stands, read, { ...long, name: 'Ann', email: 'ann@example.com' });
    const lengths = Object.keys(long).map((name) => text.split(`${name} `).length * (name.length + 1));
    expect(text).toContain('ann@example.com');
    expect(Math.min(...lengths)).toBeGreaterThan(100);
    expect(Math.max(...lengths)).toBeLessThan(Math.min(...lengths) + 40);
    expect(text).not.toContain('more on its page');
  });
});

it('A message for Slack is bold in its labels alone, and calls nobody in Mattermost', async () => {
  behavesAs(receiver, SLACK);
  await addDestination(owner, form, 'slack', receiver);
  await sendAndDeliver(service(), owner, form, { message: '@channel *now*' });
  const { blocks, text } = JSON.parse(receiver.last.body) as Message;
  expect(blocks[1]).toEqual({
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [
          { type: 'text', text: 'Message', style: { bold: true } },
          { type: 'text', text: '\n' },
          { type: 'text', text: '@channel *now*' },
        ],
      },
    ],
  });
  expect(text).toContain('Message: @\u200bchannel \\*now\\*');
});
