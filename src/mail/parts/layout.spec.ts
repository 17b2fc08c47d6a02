import { contrast } from '../../../test/support/contrast.js';
import { button, code, facts, paragraph, writeMail } from './layout.js';
import { DARK, LIGHT, type Scheme } from './message.js';
import { FACTS_BYTES, cutToFit } from './fitting.js';

/** Gmail hides what comes after 102 kB; some are left for what programs on the way add. */
const HTML_MAX_BYTES = 90_000;
const PAGE = 'https://forms.example.com/inbox/0123456789abcdef/019ab5a2-0000-7000-8000-000000000000';

describe('The layout of mails', () => {
  it('says the same in plain text as in HTML', () => {
    const { subject, text, html } = writeMail({
      subject: 'New\r\nBcc: x',
      heading: 'New',
      sender: 'Bakery',
      blocks: [
        paragraph('Hello'),
        facts([
          { label: 'Name', text: 'Ann' },
          { label: 'Message', text: 'One\nTwo', more: { label: 'Read all', href: PAGE } },
          { label: 'Cv', text: 'cv.pdf', href: PAGE, note: '3 KiB' },
          { label: 'Empty', text: ' ' },
        ]),
        code('123 456'),
        button('Open', PAGE),
      ],
      footer: [paragraph('You get this.'), button('Settings', PAGE)],
    });

    expect(subject).toBe('New Bcc: x');
    expect(text).toBe(`Bakery
New

Hello

Name: Ann

Message:
One
Two
Read all: ${PAGE}

Cv: cv.pdf (3 KiB)
${PAGE}

Empty: –

123 456

Open:
${PAGE}

--
You get this.
Settings:
${PAGE}
`);
    for (const part of ['Bakery', 'New', 'Hello', 'Ann', 'One<br/>Two', '3 KiB', '123 456']) {
      expect(html).toContain(part);
    }
  });

  it('links to the web and to addresses of mail, and to nothing else', () => {
    const hrefs = ['javascript:alert(1)', 'data:text/html,x', ' https://x.example', '//x.example'];
    const blocks = hrefs.flatMap((href) => [
      button('Open', href),
      facts([{ label: 'a', text: 'b', href, more: { label: 'c', href } }]),
    ]);

    expect(writeMail({ subject: 'x', blocks }).html).not.toContain('<a');
    for (const href of [PAGE, 'mailto:ann@example.com']) {
      expect(writeMail({ subject: 'x', blocks: [button('Open', href)] }).html).toContain(href);
    }
  });

  it('fetches nothing and declares both schemes', () => {
    const { html } = writeMail({ subject: 'x', blocks: [button('Open', PAGE)] });

    expect(html).not.toMatch(/<(?:img|link|script|iframe)|url\(|@import/);
    expect(html).toContain('<meta name="color-scheme" content="light dark"/>');
    expect(html).toContain('<meta name="supported-color-schemes" content="light dark"/>');
    expect(html).toContain('@media (prefers-color-scheme:dark)');
    expect(/<style>(.*?)<\/style>/s.exec(html)?.[1]).not.toContain('&');
  });

  it.each([
    ['many short values', { label: 'Field', text: 'x' }, 5_000],
    ['long values', { label: 'Field', text: 'x'.repeat(50_000) }, 50],
    ['what takes more room in HTML', { label: '"'.repeat(300), text: '"\n'.repeat(9_000) }, 50],
    ['long text in Arabic', { label: 'الاسم', text: 'مرحبا '.repeat(9_000) }, 50],
    ['files', { label: 'Cv', text: 'cv.pdf', href: `${PAGE}?${'x'.repeat(100)}`, note: '1' }, 500],
  ])('stays below what Gmail shows: %s', (_, fact, count) => {
    const all = Array.from({ length: count }, () => fact);
    const fitted = cutToFit(all, PAGE, FACTS_BYTES);
    const { html } = writeMail({ subject: 'x', blocks: [facts(fitted.facts)] });

    expect(Buffer.byteLength(html)).toBeLessThan(HTML_MAX_BYTES);
    expect(fitted.facts.length).toBeGreaterThan(0);
    expect(fitted.facts.length + fitted.left).toBe(count);
  });
});

describe('The colours of mails', () => {
  it.each([
    ['light', LIGHT],
    ['dark', DARK],
  ])('can be read in the %s (WCAG 2.2, 1.4.3)', (_, scheme: Scheme) => {
    const { ground, surface, wash, ink, soft, accent, onAccent } = scheme;
    const pairs = [
      ...[ink, soft, accent].map((text) => [text, surface]),
      ...[ink, soft].map((text) => [text, ground]),
      [ink, wash],
      [onAccent, accent],
    ];
    for (const [text = '', behind = ''] of pairs) {
      expect({ text, behind, ratio: contrast(text, behind) >= 4.5 }).toEqual({ ...{ text, behind }, ratio: true });
    }
  });
});
