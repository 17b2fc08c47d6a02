import { TextDecoder } from 'node:util';
import { fromWindows1252 } from '../../platform/kernel/text/windows-1252.js';
import type { Encoding } from '../model/encoding.js';
import { ImportPacked, ImportUnreadable } from '../model/import.errors.js';

/** First bytes of archives: zip (PKWARE), gzip (RFC 1952), and those of Excel before 2007. */
const PACKED = ['504b0304', '504b0506', '1f8b08', 'd0cf11e0'];
const HEAD_BYTES = 4;

/** Finds out the encoding of a file while its bytes pass. */
export class EncodingSniffer {
  private head = Buffer.alloc(0);
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true });
  private isUtf8 = true;

  /** @throws ImportPacked */
  see(chunk: Buffer): void {
    if (this.head.length < HEAD_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
      const hex = this.head.toString('hex');
      if (PACKED.some((magic) => hex.startsWith(magic))) throw new ImportPacked();
    }
    if (this.isUtf8) this.decode(chunk, true);
  }

  /**
   * Returns the encoding once all bytes have passed: UTF-16 by its mark, else UTF-8, or windows-1252 for what is not.
   * @throws ImportUnreadable for a file without bytes
   */
  end(): Encoding {
    if (this.head.length === 0) throw new ImportUnreadable('The file is empty.');
    const mark = this.head.subarray(0, 2).toString('hex');
    if (mark === 'fffe') return 'utf-16le';
    if (mark === 'feff') return 'utf-16be';
    this.decode(Buffer.alloc(0), false);
    return this.isUtf8 ? 'utf-8' : 'windows-1252';
  }

  private decode(chunk: Buffer, stream: boolean): void {
    try {
      this.utf8.decode(chunk, { stream });
    } catch {
      this.isUtf8 = false;
    }
  }
}

/** Decodes the bytes of a file, without the mark at its beginning. */
export async function* decoded(
  chunks: AsyncIterable<Buffer>,
  encoding: Encoding,
): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield fromWindows1252(chunk.toString('latin1'));
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
