import { timeOf } from '../../../platform/kernel/uuid.js';
import { csvRows } from './csv-scanner.js';
import { Occurrences, RowIds } from './file-rows.js';
import { jsonRows } from './json-rows.js';

const LIMITS = { chars: 1_000, depth: 3, values: 10 };

describe('Rows of JSON', () => {
  it('are found however the text is cut', async () => {
    const text = '{"fields":["a"],\n"submissions":[{"a":"x\\\\\\"]}"},\n {"a":[1,{"b":"ü"}]}, 5]}';
    for (let size = 1; size <= text.length; size++) {
      const rows = [];
      for await (const row of jsonRows(cut(text, size), LIMITS)) rows.push(row);
      expect(rows.map(({ line, members }) => [line, members?.map(({ json }) => json)])).toEqual([
        [2, ['"x\\\\\\"]}"']],
        [3, ['[1,{"b":"ü"}]']],
        [3, undefined],
      ]);
    }
  });

  it.each([
    ['[{"a":[[[1]]]},\n{"a":[[1]]}]', 'It has more than 3 levels.'],
    ['[{"a":[1,2,3,4,5,6,7,8,9]},\n{"a":[1,2]}]', 'It has more than 10 values.'],
  ])('are broken where they are deep or wide, and the next ones are read: %s', async (text, why) => {
    const rows = [];
    for await (const row of jsonRows(cut(text, 7), LIMITS)) rows.push(row);
    expect(rows.map(({ line, reason = null }) => [line, reason])).toEqual([
      [1, why],
      [2, null],
    ]);
  });
});

it('Rows of CSV are found however the text is cut', async () => {
  const text = 'a;b\r\n1;"x;""y""\nz"\r\n\n;;\n 2;5" wide\r"a"b;"c"\n3;\r\n"";é;\n4;"🙂';
  for (let size = 1; size <= text.length; size++) {
    const rows: [number, Record<string, unknown>][] = [];
    const read = async () => {
      for await (const { line, members } of csvRows(cut(text, size), LIMITS, () => undefined)) {
        rows.push([line, Object.fromEntries(members?.map(({ name, text }) => [name, text]) ?? [])]);
      }
    };
    await expect(read()).rejects.toThrow('line 10');
    expect(rows).toEqual([
      [2, { a: '1', b: 'x;"y"\nz' }],
      [6, { a: ' 2', b: '5" wide' }],
      [7, { a: '"a"b', b: 'c' }],
      [8, { a: '3' }],
      [9, { b: 'é' }],
    ]);
  }
});

async function* cut(text: string, size: number): AsyncGenerator<string, undefined> {
  for (let at = 0; at < text.length; at += size) yield await Promise.resolve(text.slice(at, at + size));
}

describe('Ids of rows', () => {
  const identity = { formId: 1, provider: 'csv', externalId: null, row: 'x' };
  const moment = { ms: 1_541_230_109_707, part: null };

  it('have the time of the submission, and are the same each time', () => {
    const [ids, again] = [new RowIds(), new RowIds()];
    const [one, other] = [ids.of(identity, moment), ids.of(identity, moment)];
    expect(timeOf(one).getTime()).toBe(moment.ms);
    expect(one.toString('hex')).toMatch(/^.{12}7.{3}[89ab]/);
    expect(other.equals(one)).toBe(false);
    expect(again.of(identity, moment).equals(one)).toBe(true);
    expect(again.of({ ...identity, formId: 2 }, moment).equals(other)).toBe(false);
  });

  it('count what is alike, also when there is much of it', () => {
    const counts = new Occurrences();
    for (let n = 0; n < 20_000; n++) expect(counts.count(n * 4096)).toBe(0);
    for (let n = 0; n < 20_000; n++) expect(counts.count(n * 4096)).toBe(1);
  });
});
