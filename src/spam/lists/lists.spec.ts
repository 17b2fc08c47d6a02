import { describe, expect, it } from '@jest/globals';
import { EntryList, soughtIn } from './entry-list.js';
import { parseEntry } from './list-entry.js';
import { entriesOf, normalList } from './list-text.js';

const listOf = (...lines: string[]) => new EntryList(entriesOf(normalList(lines.join('\n'), 'l')));

/** What a list finds in a message, and as the sender's. */
function found(entry: string, text: string, network = '') {
  const { anywhere, bySender } = soughtIn([{ text }], network);
  const list = listOf(entry);
  return [list.find(anywhere) !== null, list.find(bySender) !== null];
}

describe('An entry of a list', () => {
  it.each([
    ['Casino', 'casino'],
    [' cheap   pills ', 'cheap pills'],
    ['CASINO*', 'casino*'],
    ['Ann@Example.COM', 'ann@example.com'],
    ['*@example.com', 'example.com'],
    ['@example.com', 'example.com'],
    ['*.example.com', 'example.com'],
    ['*.ru', '*.ru'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['sales@*', 'sales@*'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.*', '203.0.*'],
    ['2001:DB8::/32', '2001:db8::/32'],
  ])('%j is kept as %j', (line, text) => {
    expect(parseEntry(line)?.text).toBe(text);
  });

  it.each([
    '/(a+)+$/',
    'ca*no',
    '*',
    '*a',
    'a@b@c.test',
    '203.0.113.0/33',
    '1.2.3.4/x',
    'a'.repeat(256),
  ])('%j is none', (line) => {
    expect(parseEntry(line)).toBeNull();
  });

  it('is named with its line when it cannot be read', () => {
    expect(() => normalList('casino\r\n\r\n(a+)+', 'lists.block')).toThrow(
      'lists.block cannot be read in line 3 (“(a+)+”).',
    );
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
  ])('by %j in %j: %j', (entry, text, isFound) => {
    expect(found(entry, text)[0]).toBe(isFound);
  });

  it.each([
    ['203.0.113.0/24', '203.0.113.7', true],
    ['203.0.113.0/24', '203.0.114.7', false],
    ['203.0.*', '203.0.114.7', true],
    ['203.0.113.7', '203.0.113.7', true],
    ['2001:db8::/32', '2001:db8:1::7', true],
    ['2001:db8::/33', '2001:db8:8000::7', false],
    ['::ffff:203.0.113.7', '203.0.113.7', false],
    ['0.0.0.0/0', '2001:db8::1', false],
  ])('the network %j of %j: %j', (entry, address, isFound) => {
    expect(found(entry, '', address)).toEqual([isFound, isFound]);
  });

  it('as the sender only what is a value as a whole', () => {
    expect(found('ann@example.com', 'ann@example.com')).toEqual([true, true]);
    expect(found('example.com', 'I know ann@example.com')).toEqual([true, false]);
    expect(found('example.com', 'https://example.com')).toEqual([true, false]);
  });

  it('nothing slower in 100,000 entries than in one', () => {
    const lines = Array.from({ length: 25_000 }, (_, n) => [
      `word${n}`,
      `person${n}@example${n}.test`,
      `host${n}.test`,
      `10.${n >> 8}.${n & 255}.0/24`,
    ]).flat();
    const { anywhere } = soughtIn(
      [{ text: 'We would like a cake. ann@example.com '.repeat(20) }],
      '192.0.2.1',
    );
    const time = (list: EntryList) => {
      const began = performance.now();
      for (let run = 0; run < 300; run++) list.find(anywhere);
      return performance.now() - began;
    };
    const [short, long] = [listOf('word1', 'a@b.test', 'b.test', '10.0.0.0/24'), listOf(...lines)];
    for (const list of [short, long]) time(list);
    expect(time(long)).toBeLessThan(20 * time(short) + 50);
  });

  it('its way through hostile text at once', () => {
    const nasty = ['@'.repeat(1e6), 'http://'.repeat(1e5), "a'".repeat(1e5), 'a.'.repeat(1e6)];
    for (const text of nasty) expect(found('*casino*', text)).toEqual([false, false]);
  });
});
