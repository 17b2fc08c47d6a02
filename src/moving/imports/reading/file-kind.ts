import { TextDecoder } from 'node:util';
import {
  ImportPacked,
  ImportUnreadable,
  ImportWebPage,
  ImportWorkbook,
  GUESSED,
  type Encoding,
} from '../model/import-options.js';
import { fromWindows1252 } from '../../../platform/index.js';

/** First bytes of gzip (RFC 1952), of an empty zip (PKWARE) and of other archives. */
const PACKED = ['1f8b08', '504b0506', '377abcaf', '526172211a07', '28b52ffd', 'fd377a58'];
/** First bytes of each file in a zip, and how far behind its name is. */
const ZIP = Buffer.from('504b0304', 'hex');
const NAME_AT = 30;
/** Bytes of a zip in which its files are looked for. */
const ZIP_BYTES = 1024 * 1024;
/** First bytes of Excel before 2007. */
const OLE = 'd0cf11e0';
const HEAD_BYTES = 6;
const MARK_BYTES = 4;

const EXCEL = 'an Excel workbook';
/** Names of files that a zip of a spreadsheet has, and bytes that stand for that. */
const WITHIN = [
  ['xl/', EXCEL],
  ['mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'a LibreOffice sheet'],
  ['Index/Document.iwa', 'a Numbers sheet'],
] as const;

/** Beginnings of web pages, and of workbooks in XML. */
const MARKUP = /^\s*(?:<!--|<!doctype html|<html|<head|<table|<meta)/i;

const XML = /^\s*<\?xml/i;

/** Characters in which these stand. */
const BEGIN_CHARS = 1_024;

/** Refuses a file that is no text by its first bytes. @throws ImportPacked, ImportWorkbook */
function refuseBinary(head: Buffer) {
  const hex = head.toString('hex', 0, HEAD_BYTES);
  if (hex.startsWith(OLE)) throw new ImportWorkbook(EXCEL);
  if (PACKED.some((magic) => hex.startsWith(magic))) throw new ImportPacked();
  if (!isZipAt(head, 0)) return;
  for (const [name, kind] of WITHIN) {
    for (let at = head.indexOf(name); at >= 0; at = head.indexOf(name, at + 1)) {
      if (isZipAt(head, at - NAME_AT)) throw new ImportWorkbook(kind);
    }
  }
  throw new ImportPacked();
}

function isZipAt(bytes: Buffer, at: number) {
  return at >= 0 && bytes.subarray(at, at + ZIP.length).equals(ZIP);
}

/** Refuses a text that begins like a web page or a workbook. @throws ImportWebPage, ImportWorkbook, ImportUnreadable */
export function refuseMarkup(text: string) {
  const begin = text.slice(0, BEGIN_CHARS);
  if (MARKUP.test(begin)) throw new ImportWebPage();
  if (!XML.test(begin)) return;
  if (/<html/i.test(begin)) throw new ImportWebPage();
  if (/excel/i.test(begin)) throw new ImportWorkbook(EXCEL);
  throw new ImportUnreadable('This is an XML file. Export JSON or CSV there, and import that.');
}

/** First bytes of UTF-16 without a mark: letters of ASCII, each with a zero. */
const UNMARKED_LE = /^(?!00)..00(?!00)..00$/;

const UNMARKED_BE = /^00(?!00)..00(?!00)..$/;

/** Finds out the encoding of a file while its bytes pass. */
export class EncodingSniffer {
  private readonly first: Buffer[] = [];
  private bytes = 0;
  private readonly utf8 = new TextDecoder('utf-8', { fatal: true });
  private isUtf8 = true;

  /** @throws ImportPacked, ImportWorkbook */
  see(chunk: Buffer) {
    if (this.bytes < ZIP_BYTES) {
      this.first.push(chunk);
      this.bytes += chunk.length;
      if (this.bytes >= ZIP_BYTES) refuseBinary(Buffer.concat(this.first));
    }
    if (this.isUtf8) this.decode(chunk, true);
  }

  /**
   * Returns the encoding once all bytes have passed: UTF-16 by its mark or its zeros, else UTF-8, or windows-1252 as a guess.
   * @throws ImportUnreadable for a file without bytes
   * @throws ImportPacked, ImportWorkbook
   */
  end(): Encoding {
    if (this.bytes === 0) throw new ImportUnreadable('The file is empty.');
    const head = Buffer.concat(this.first);
    refuseBinary(head);
    const mark = head.toString('hex', 0, MARK_BYTES);
    if (mark.startsWith('fffe') || UNMARKED_LE.test(mark)) return 'utf-16le';
    if (mark.startsWith('feff') || UNMARKED_BE.test(mark)) return 'utf-16be';
    this.decode(Buffer.alloc(0), false);
    return this.isUtf8 ? 'utf-8' : GUESSED;
  }

  private decode(chunk: Buffer, stream: boolean) {
    try {
      this.utf8.decode(chunk, { stream });
    } catch {
      this.isUtf8 = false;
    }
  }
}

/** Decodes the bytes of a file, without the mark at its beginning. */
export async function* decoded(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string, undefined> {
  if (encoding === 'windows-1252') {
    for await (const chunk of chunks) yield fromWindows1252(chunk.toString('latin1'));
    return;
  }
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
