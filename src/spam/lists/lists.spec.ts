import { EntryList, soughtIn, parseEntry } from './entry-list.js';
import { entriesOf, normalList } from './spam-lists.service.js';
import { cpuMs, expectShortTurns } from '../../../test/support/cpu-time.js';

const OTHERS_WAIT_MAX_MS = 100;
const listOf = async (...lines: string[]) => EntryList.of(entriesOf(await normalList(lines.join('\n'), 'l')));

/** Returns the finds of a list in a message, and as the sender's. */
async function found(entry: string, text: string, network = '') {
  const { anywhere, bySender } = soughtIn([{ text }], network);
  const list = await listOf(entry);
  return [list.find(anywhere) !== null, list.find(bySender) !== null];
}

describe('An entry of a list', () => {
  it.each([
    [' cheap   pills ', 'cheap pills'],
    ['Ann@Example.COM', 'ann@example.com'],
    ['*@example.com', 'example.com'],
    ['*.example.com', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['sales@*', 'sales@*'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.*', '203.0.*'],
    ['2001:DB8::/32', '2001:db8::/32'],
  ])('%j is kept as %j', (line, text) => {
    expect(parseEntry(line)?.text).toBe(text);
  });

  it.each(['/(a+)+$/', 'ca*no', '*', 'a@b@c.test', '203.0.113.0/33', 'a'.repeat(256)])('%j is none', (line) => {
    expect(parseEntry(line)).toBeNull();
  });
});

describe('A list finds', () => {
  it.each([
    ['casino', 'Our CASINO, today', true],
    ['casino', 'casinos', false],
    ['casino*', 'casinos', true],
    ['*coin', 'Buy bitcoin now', true],
    ['*予約*', 'ご予約希望です', true],
    ['cheap pills', 'cheap, pills', true],
    ['cheap pills', 'cheap blue pills', false],
    ['well-known', 'a well-known shop', true],
    ['example.com', 'see https://shop.example.com/x', true],
    ['example.com', 'see https://notexample.com/x', false],
    ['*.ru', 'www.shop.ru', true],
    ['example.com', 'bob@mail.example.com', true],
    ['bücher.example', 'ann@BÜCHER.example', true],
    ['ann@example.com', 'mail Ann@example.com...', true],
    ['sales@*', 'sales@shop.example', true],
  ])('by %j in %j: %j', async (entry, text, isFound) => {
    expect((await found(entry, text))[0]).toBe(isFound);
  });

  it.each([
    ['203.0.113.0/24', '203.0.113.7', true],
    ['203.0.113.0/24', '203.0.114.7', false],
    ['203.0.*', '203.0.114.7', true],
    ['2001:db8::/32', '2001:db8:1::7', true],
    ['2001:db8::/33', '2001:db8:8000::7', false],
    ['::ffff:203.0.113.7', '203.0.113.7', false],
    ['0.0.0.0/0', '2001:db8::1', false],
  ])('the network %j of %j: %j', async (entry, address, isFound) => {
    expect(await found(entry, '', address)).toEqual([isFound, isFound]);
  });

  it('as the sender only what is a value as a whole', async () => {
    expect(await found('ann@example.com', 'ann@example.com')).toEqual([true, true]);
    expect(await found('example.com', 'I know ann@example.com')).toEqual([true, false]);
    expect(await found('example.com', 'https://example.com')).toEqual([true, false]);
  });

  it('its way through hostile text at once', async () => {
    const nasty = ['@'.repeat(1e6), 'http://'.repeat(1e5), "a'".repeat(1e5), 'a.'.repeat(1e6)];
    for (const text of nasty) expect(await found('*casino*', text)).toEqual([false, false]);
  });

  it.each([
    ['many lengths', (n: number) => `*${'a'.repeat(2 + (n % 60))}${n}*`, 'a'.repeat(60)],
    ['one beginning', (n: number) => `*${'ab'.repeat(20)}${n}*`, 'ab'.repeat(30)],
    ['short ones', (n: number) => `${String.fromCodePoint(0x4e00 + (n % 9_000))}${n % 11}*`, '一二'.repeat(30)],
  ])('a part of a word among 50,000 of %s in no time', async (_, entry, word) => {
    const list = await listOf(...Array.from({ length: 50_000 }, (__, n) => entry(n)));
    const { anywhere } = soughtIn([{ text: `${word} `.repeat(20_000) }], '');
    const began = cpuMs();
    expect(list.find(anywhere)).toBeNull();
    expect(cpuMs() - began).toBeLessThan(OTHERS_WAIT_MAX_MS);
  });

  it('any of several parts of which one is the beginning of another', async () => {
    const list = await listOf('*abcd*', '*ab*', '*abz*', 'xyz*', 'xy*');
    const finds = (text: string) => list.find(soughtIn([{ text }], '').anywhere) !== null;
    expect(['1abc', '1abyy', 'xyq', 'xyzz', '1axb', 'xz'].map(finds)).toEqual([
      ...[true, true, true, true, false, false],
    ]);
  });
});

describe('A long list', () => {
  const words = (count: number, word: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => word(n)).join('\n');

  it.each([
    ['words', words(99_000, (n) => `word${n}`)],
    ['parts', words(99_000, (n) => `*${'a'.repeat(50)}${n}*`)],
    ['domains', words(99_000, (n) => `ü${n}.example`)],
    ['networks', words(99_000, (n) => `10.${n >> 8}.${n & 255}.0/24`)],
    ['too many lines', 'a\n'.repeat(4_000_000)],
    ['wrong lines', '!\n'.repeat(99_000)],
    ['one line of marks', '\u0316\u0301'.repeat(2_000_000)],
  ])('of %s leaves the event loop to others, when it is read and made ready', async (_, text) => {
    const list = async () => EntryList.of(entriesOf(await normalList(text, 'l')));
    await expectShortTurns(OTHERS_WAIT_MAX_MS, list);
  });
});
