import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { BackupReader, BackupWriter, LINE_BYTES_MAX, type BackupLine, BackupDamaged } from './backup-format.js';

const HEADER = { migrations: ['First1'], tables: [{ name: 'forms', columns: [] }] };
const COUNTS = { rows: 3, files: 1, erased: 0, lost: 0 };
const LINES: BackupLine[] = [
  ['row', 0, ['line separators \u2028\u2029\r\n\0 \u{1f600} "\\', null, 7]],
  ['row', 0, ['x'.repeat(100_000)]],
  ['row', 0, []],
  ['file', '00'],
  ['bytes', 'AAAA'],
  ['file-end'],
];

function written(lines = LINES): string {
  const writer = new BackupWriter();
  return writer.header(HEADER) + writer.lines(lines) + writer.end(COUNTS);
}

/** In small pieces, as a slow link gives them. */
async function read(packed: Buffer, piece = 1_000) {
  const pieces = Array.from({ length: Math.ceil(packed.length / piece) }, (_, n) =>
    packed.subarray(n * piece, (n + 1) * piece),
  );
  const reader = new BackupReader(Readable.from(pieces));
  const header = await reader.header();
  const lines: BackupLine[] = [];
  for await (const line of reader.lines()) lines.push(line);
  return { header, lines, counts: reader.counts };
}

describe('A backup', () => {
  it.each([1, 7, 1_000_000])('is read as it was written, in pieces of %d bytes', async (piece) => {
    expect(await read(gzipSync(written()), piece)).toEqual({ header: HEADER, lines: LINES, counts: COUNTS });
  });

  it('is refused when it breaks off, wherever that is', async () => {
    const packed = gzipSync(written(LINES.slice(2)));
    for (let length = 0; length < packed.length; length++) {
      await expect(read(packed.subarray(0, length))).rejects.toThrow(BackupDamaged);
    }
  });

  it('is refused when any byte of it is another', async () => {
    const packed = gzipSync(written(LINES.slice(2)));
    // What precedes is the time and the system that gzip notes.
    for (let at = 10; at < packed.length; at++) {
      const damaged = Buffer.from(packed);
      damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
      await expect(read(damaged)).rejects.toThrow(BackupDamaged);
    }
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['another packed file', gzipSync('Hello\n')],
    ['a packed list', gzipSync('["header","something else",1,{}]\n')],
    ['a later format', gzipSync(written().replace('backup",1,', 'backup",2,'))],
    ['one that was shortened and packed anew', gzipSync(written().replace('["row",0,[]]\n', ''))],
    ['one without its last line', gzipSync(written().replace(/\["end".*\n$/, ''))],
    ['one with more behind it', Buffer.concat([gzipSync(written()), gzipSync('[]\n')])],
    ['one whose last line is not whole', gzipSync(written().slice(0, -1))],
  ])('is distinguished from %s', async (_, packed) => {
    await expect(read(packed)).rejects.toThrow(BackupDamaged);
  });

  it('is not unpacked into memory without an end', async () => {
    const endless = gzipSync(Buffer.alloc(LINE_BYTES_MAX + 100_000, '['));

    await expect(read(endless)).rejects.toThrow('it has a line that is too long');
  });
});
