import fc from 'fast-check';
import { pairsOf } from '../support/json-reader.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, urlencoded } from '../support/submit.js';

const service = useService();
let inbox: Inbox;
beforeAll(async () => {
  inbox = await Inbox.open(service());
});

const HOSTILE = [
  '__proto__',
  'constructor',
  'a[__proto__][x]',
  'a[]',
  'a[999999999]',
  'toString',
  '',
  ' ',
  '0',
  'Nome',
  '_name',
  '_captcha',
  'a&b=c',
  '%41',
  '\\',
  'a\\\\b',
  '"',
  'a"; filename="b',
  '\u65e5\u672c',
  '\u{1f600}',
  '\ufeffx',
  'e\u0301',
  '\u202e',
  '\u0000',
  'a\r\nb',
  '{}',
  'null',
  '--',
  '\r\n--',
  '\u0080\u00ff',
];

const text = fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'binary', maxLength: 40 }));
const name = text.filter((each) => Buffer.byteLength(each) <= 256);
/** A quote is sent as %22, which nobody can tell from these three characters themselves. */
const partName = name.filter((each) => !/%(?:22|0D|0A)/.test(each));
const pairs = (names: typeof name) => fc.array(fc.tuple(names, text), { minLength: 1, maxLength: 25 });

/** Groups values as the API shows them: all values of a name at its first place. */
function grouped(sent: readonly (readonly [string, string])[]): [string, string][] {
  const byName = new Map<string, string[]>();
  for (const [each, value] of sent) byName.set(each, [...(byName.get(each) ?? []), value]);
  return [...byName].flatMap(([each, values]) => values.map((value): [string, string] => [each, value]));
}

describe('Every pair comes back, byte-equal and in order (S-01),', () => {
  it.each([
    ['urlencoded', urlencoded, pairs(name)],
    ['multipart', multipart, pairs(partName)],
    ['JSON', json, pairs(name)],
  ])('when it was sent as %s', async (_, encode, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (sent) => {
        const { text: shown } = await inbox.read(await inbox.accept(encode(sent)));
        expect(pairsOf(shown)).toEqual(grouped(sent));
        expect(({} as { x?: unknown }).x).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  it('when one name is sent as often as there may be fields', async () => {
    const sent = Array.from({ length: 500 }, (_, index) => ['a', String(index)] as const);
    for (const encode of [urlencoded, multipart, json]) {
      const { text: shown } = await inbox.read(await inbox.accept(encode(sent)));
      expect(pairsOf(shown)).toEqual(sent);
    }
  });

  it('when it was sent with any bytes at all, cut anywhere', async () => {
    const bytes = Buffer.from('\r\n--x\r\n\r\n-----\r\n------WebKitFormBoundary7MA4YWxkTrZu0g\r\n');
    const id = await inbox.accept(multipart([['a', bytes.toString()]], [{ field: 'f', name: 'b', bytes }]));
    expect((await inbox.read(id)).submission).toMatchObject({
      values: { a: bytes.toString() },
      files: [{ size: bytes.length }],
    });
  });
});
