import fc from 'fast-check';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RowSpool, type SpoolDisk, type SpooledRow } from './row-spool.js';

const MIB = 1024 * 1024;

describe('A spool of rows', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spool-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const closed: number[] = [];
  const disk: SpoolDisk = {
    open: () => open(join(folder, 'rows'), 'w+'),
    append: (file, bytes) => file.appendFile(bytes),
    close: async (file, size) => {
      closed.push(size);
      await file.close();
    },
  };
  const endOf = (row: number, width: number) => `|${row}:${width}\n`;

  /** Adds rows some at a time, and reads them all. */
  async function through(rows: SpooledRow[], atOnce: number): Promise<string> {
    const spool = new RowSpool(disk);
    try {
      for (let from = 0; from < rows.length; from += atOnce) {
        await spool.add(rows.slice(from, from + atOnce));
      }
      const pieces: Buffer[] = [];
      for await (const piece of spool.read((...row) => Buffer.from(endOf(...row)))) {
        pieces.push(piece);
      }
      return Buffer.concat(pieces).toString();
    } finally {
      await spool.close();
    }
  }
  const expected = (rows: SpooledRow[]) => rows.map(({ text, width }, row) => text + endOf(row, width)).join('');

  it('gives back rows of any text, each with an end that knows how wide it is', async () => {
    const row = fc.record({ text: fc.string({ unit: 'binary', maxLength: 20 }), more: fc.nat({ max: 2 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(row), fc.integer({ min: 1, max: 5 }), async (drawn, atOnce) => {
        let width = 0;
        const rows = drawn.map(({ text, more }) => ({ text, width: (width += more) }));
        expect(await through(rows, atOnce)).toBe(expected(rows));
      }),
    );
    expect(closed).toEqual([]);
  });

  it.each(['x', 'é', '写', '🦓', 'x🦓'])('gives back more than it holds in memory: %s', async (letter) => {
    const lengths = [0, 3, MIB / 2, MIB - 1, MIB, 3 * MIB, 1, 0];
    const rows = lengths.map((bytes, width) => ({
      text: letter.repeat(Math.floor(bytes / Buffer.byteLength(letter))),
      width,
    }));
    expect((await through(rows, 3)) === expected(rows)).toBe(true);
    expect(closed.pop()).toBeGreaterThan(4 * MIB);
  });

  it('replaces halves of characters, as the API does', async () => {
    expect(await through([{ text: 'a\ud800b', width: 1 }], 1)).toBe('a\ufffdb|0:1\n');
  });
});
