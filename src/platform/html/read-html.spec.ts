import { parse, serialize } from 'parse5';
import { expectShortTurns } from '../../../test/support/cpu-time.js';
import { HtmlTooComplex, PAGE_LIMITS, readFragment, readPage } from './read-html.js';

/** Longest turn, in milliseconds of computing, with what else the process does. */
const TURN_MAX_MS = 250;
const PAGE_CHARS = 500_000;
const filled = (unit: string, length = PAGE_CHARS) => unit.repeat(length / unit.length);
const numbered = (unitOf: (n: number) => string, length = PAGE_CHARS) => {
  const units: string[] = [];
  for (let [n, size] = [0, 0]; size < length; n++) size += units[units.push(unitOf(n)) - 1]?.length ?? 0;
  return units.join('');
};

describe('A page', () => {
  it('is read in portions as it is at once', async () => {
    const row = '<tr><td>é 🙂 &amp; &eacute; &notin; <a href="/a?b=1&amp;c">x</a><!-- no --><td>y';
    const html = `<!doctype html><title>T & T</title><script>if (a < b) "</p>";</script><p>1<table>${row.repeat(99)}</table><b>2<p>3</b>4`;
    expect(serialize(await readPage(html))).toBe(serialize(parse(html)));
    expect(serialize(await readPage(''))).toBe(serialize(parse('')));
  });

  it.each([
    ['fonts around paragraphs', numbered((n) => `<font a${n % 50}><p>`)],
    ['elements in each other', filled('<div>')],
    ['lists in each other', filled('<ul><li>')],
    ['comments', filled('<!--a-->')],
    ['a comment that does not end', filled('<!--')],
    ['attributes', `<a ${numbered((n) => `a${n} `)}`],
    ['attributes of the page', numbered((n) => `<html a${n}>`)],
    ['links in a table', filled('<table><a>x')],
    ['tables in each other', filled('<table><tr><td>')],
    ['wrong ends', filled('<b><i><p></b></i>')],
    ['forms', filled('<form')],
    ['a script', `<script>${filled('a<')}`],
    ['a title', `<title>${filled('&amp')}`],
    ['a moved paragraph', `<b><p>${filled('<i></i>', 120_000)}</b>`],
    ['templates', filled('<template>')],
    ['math', filled('<math><mi>')],
    ['ends without a beginning', filled('</p>')],
    ['text', filled('a ')],
  ])('of %s keeps nobody waiting', async (_, html) => {
    let read: unknown;
    await expectShortTurns(TURN_MAX_MS, async () => {
      read = await readPage(html).catch((error: unknown) => error);
    });
    if (read instanceof Error) expect(read).toBeInstanceOf(HtmlTooComplex);
  });

  it('has at most so many attributes on an element', async () => {
    const tag = (count: number) => `<p ${numbered((n) => `a${n} `, 8_000)}>`.split(' ', count + 1).join(' ');
    await expect(readPage(`${tag(PAGE_LIMITS.attributes)}>`)).resolves.toBeDefined();
    await expect(readPage(`${tag(PAGE_LIMITS.attributes + 1)}>`)).rejects.toThrow(HtmlTooComplex);
  });
});

describe('A piece of HTML', () => {
  const limits = { nodes: 20, depth: 5, attributes: 1 };

  it.each(['<ul>'.repeat(5), '<p>'.repeat(19), '<p a b>', '<p>x</p>'.repeat(200)])(
    'is refused over its limits: case %#',
    (html) => {
      expect(() => readFragment(html, limits)).toThrow(HtmlTooComplex);
    },
  );

  it('is read within them', () => {
    expect(readFragment('<p a>1</p><ul><li>2', limits)).toMatchObject([
      { tagName: 'p', attrs: [{ name: 'a' }] },
      { tagName: 'ul' },
    ]);
  });
});
