import { TextDecoder } from 'node:util';
import {
  ImportPacked,
  ImportUnreadable,
  ImportWebPage,
  ImportWorkbook,
  GUESSED,
  type Encoding,
} from '../model/import-options.js';
import { fromWindows1252 } from '../../../platform/kernel/text/windows-1252.js';

/** First bytes of gzip (RFC 1952) and other archives, but zip. */
const PACKED = ['1f8b08', '377abcaf', '526172211a07', '28b52ffd', 'fd377a58'];

/** Those of zip (PKWARE): with files, and without any. */
const ZIP = '504b0304';

const ZIP_NUMBER = Number.parseInt(ZIP, 16);

const EMPTY_ZIP = '504b0506';

/** Those of Excel before 2007. */
const OLE = 'd0cf11e0';

const HEAD_BYTES = 6;

/** Where the name of a file stands behind the first byte of its header in a zip. */
const NAME_AT = 30;

/** Bytes of a zip in which its files are looked for. */
const ZIP_BYTES = 1024 * 1024;

const EXCEL = 'an Excel workbook';

const LIBRE_OFFICE = 'a LibreOffice sheet';

/** Names of files that a zip of a spreadsheet has, and bytes that stand for that. */
const WITHIN: [name: Buffer, kind: string][] = [
  [Buffer.from('xl/'), EXCEL],
  [Buffer.from('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), LIBRE_OFFICE],
  [Buffer.from('Index/Document.iwa'), 'a Numbers sheet'],
];

const OVERLAP = NAME_AT + 60;

/** Beginnings of web pages, and of workbooks in XML. */
const MARKUP = /^\s*(?:<!--|<!doctype html|<html|<head|<table|<meta)/i;

const XML = /^\s*<\?xml/i;

/** Characters in which these stand. */
const BEGIN_CHARS = 1_024;

/** Refuses files that are no text, while their bytes pass. */
class BinaryFiles {
  private head = Buffer.alloc(0);
  private zip: Buffer | null = null;
  private seen = 0;

  /** @throws ImportPacked, ImportWorkbook */
  see(chunk: Buffer): void {
    if (this.zip) this.lookInto(chunk);
    if (this.zip || this.head.length >= HEAD_BYTES) return;
    this.head = Buffer.concat([this.head, chunk.subarray(0, HEAD_BYTES - this.head.length)]);
    const hex = this.head.toString('hex');
    if (hex.startsWith(OLE)) throw new ImportWorkbook(EXCEL);
    if (hex.startsWith(EMPTY_ZIP) || PACKED.some((magic) => hex.startsWith(magic))) {
      throw new ImportPacked();
    }
    if (!hex.startsWith(ZIP)) return;
    // The head may have come in pieces.
    this.zip = this.head.subarray(0, this.head.length - chunk.length);
    this.lookInto(chunk);
  }

  /** @throws ImportPacked for a zip in which no sheet was found */
  end(): void {
    if (this.zip) throw new ImportPacked();
  }

  private lookInto(chunk: Buffer): void {
    const bytes = Buffer.concat([this.zip ?? Buffer.alloc(0), chunk]);
    for (const [name, kind] of WITHIN) {
      for (let at = bytes.indexOf(name); at >= 0; at = bytes.indexOf(name, at + 1)) {
        const begin = at - NAME_AT;
        if (begin >= 0 && bytes.readUInt32BE(begin) === ZIP_NUMBER) {
          throw new ImportWorkbook(kind);
        }
      }
    }
    this.seen += chunk.length;
    if (this.seen > ZIP_BYTES) throw new ImportPacked();
    this.zip = Buffer.from(bytes.subarray(-OVERLAP));
  }
}

/** Refuses a text that begins like a web page or a workbook. @throws ImportWebPage, ImportWorkbook, ImportUnreadable */
export function refuseMarkup(text: string): void {
  const begin = text.slice(0, BEGIN_CHARS);
  if (MARKUP.test(begin)) throw new ImportWebPage();
  if (!XML.test(begin)) return;
  if (/<html/i.test(begin)) throw new ImportWebPage();
  if (/excel/i.test(begin)) throw new ImportWorkbook(EXCEL);
  throw new ImportUnreadable('This is an XML file. Export JSON or CSV there, and import that.');
}

const MARK_BYTES = 4;

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
    if (this.head.length < MARK_BYTES) {
      this.head = Buffer.concat([this.head, chunk.subarray(0, MARK_BYTES - this.head.length)]);
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
): AsyncGenerator<string, undefined> {
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield fromWindows1252(chunk.toString('latin1'));
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
