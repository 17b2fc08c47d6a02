import { TextDecoder } from 'node:util';
import { fromWindows1252 } from '../../platform/kernel/text/windows-1252.js';
import { GUESSED, type Encoding } from '../model/import-options.js';
import { ImportUnreadable } from '../model/import.errors.js';
import { BinaryFiles } from './file-kind.js';

const HEAD_BYTES = 4;
/** First bytes of UTF-16 without a mark: letters of ASCII, each with a zero. */
const UNMARKED_LE = /^(?!00)..00(?!00)..00$/;
const UNMARKED_BE = /^00(?!00)..00(?!00)..$/;

/** Finds out the encoding of a file while its bytes pass. */
export class EncodingSniffer {
  private readonly binary = new BinaryFiles();
  private head = Buffer.alloc(0);
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true });
  private isUtf8 = true;

  /** @throws ImportPacked, ImportWorkbook */
  see(chunk: Buffer): void {
    this.binary.see(chunk);
    if (this.head.length < HEAD_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
    }
    if (this.isUtf8) this.decode(chunk, true);
  }

  /**
   * Returns the encoding once all bytes have passed: UTF-16 by its mark or its zeros, else UTF-8, or windows-1252 as a guess.
   * @throws ImportUnreadable for a file without bytes
   * @throws ImportPacked
   */
  end(): Encoding {
    if (this.head.length === 0) throw new ImportUnreadable('The file is empty.');
    this.binary.end();
    const head = this.head.toString('hex');
    if (head.startsWith('fffe') || UNMARKED_LE.test(head)) return 'utf-16le';
    if (head.startsWith('feff') || UNMARKED_BE.test(head)) return 'utf-16be';
    this.decode(Buffer.alloc(0), false);
    return this.isUtf8 ? 'utf-8' : GUESSED;
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
  encoding: string,
): AsyncGenerator<string> {
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield fromWindows1252(chunk.toString('latin1'));
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
