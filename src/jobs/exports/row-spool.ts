import type { FileHandle } from 'node:fs/promises';

/** Ends a row whose last cells are not known yet: no text has this byte in UTF-8. */
const ROW_END = 0xff;
/** Bytes held in memory; only rows beyond them go to disk. */
const BLOCK_BYTES = 1024 * 1024;
/** Bytes read back at a time. */
const CHUNK_BYTES = 64 * 1024;

/** Where a spool keeps what it does not hold in memory. */
export interface SpoolDisk {
  open(): Promise<FileHandle>;
  append(file: FileHandle, bytes: Buffer): Promise<void>;
  /** @param size bytes that were appended */
  close(file: FileHandle, size: number): Promise<void>;
}

/** A row as text without its end. */
export interface SpooledRow {
  text: string;
  /** How many cells it has. */
  width: number;
}

/** Keeps the rows of a table until all of its columns are known, and then gives each the end that it lacks. */
export class RowSpool {
  private readonly block = Buffer.allocUnsafe(BLOCK_BYTES);
  private used = 0;
  private file: FileHandle | null = null;
  private size = 0;
  private rows = 0;
  /** The rows, by number, that are wider than the one before; the first is one. */
  private readonly wider: { row: number; width: number }[] = [];

  constructor(private readonly disk: SpoolDisk) {}

  /** @param rows none narrower than the one before @throws what the disk throws */
  async add(rows: readonly SpooledRow[]) {
    const encoder = new TextEncoder();
    for (const { text, width } of rows) {
      if (width !== this.wider.at(-1)?.width) this.wider.push({ row: this.rows, width });
      this.rows++;
      for (let from = 0; from < text.length;) {
        const rest = from === 0 ? text : text.slice(from);
        const { read, written } = encoder.encodeInto(rest, this.block.subarray(this.used));
        from += read;
        this.used += written;
        if (from < text.length) await this.flush();
      }
      if (this.used === BLOCK_BYTES) await this.flush();
      this.block[this.used++] = ROW_END;
    }
  }

  /**
   * Reads all rows, once.
   * @param endOf writes the end of a row, which has so many cells; rows are numbered from 0
   */
  async *read(endOf: (row: number, width: number) => Buffer): AsyncGenerator<Buffer> {
    let row = 0;
    let at = 0;
    for await (const chunk of this.chunks()) {
      const parts: Buffer[] = [];
      let from = 0;
      for (let end = chunk.indexOf(ROW_END); end !== -1; end = chunk.indexOf(ROW_END, from)) {
        if (this.wider[at + 1]?.row === row) at++;
        parts.push(chunk.subarray(from, end), endOf(row++, this.wider[at]?.width ?? 0));
        from = end + 1;
      }
      parts.push(chunk.subarray(from));
      yield Buffer.concat(parts);
    }
  }

  async close() {
    const { file } = this;
    this.file = null;
    if (file) await this.disk.close(file, this.size);
  }

  private async flush() {
    this.file ??= await this.disk.open();
    await this.disk.append(this.file, this.block.subarray(0, this.used));
    this.size += this.used;
    this.used = 0;
  }

  private async *chunks(): AsyncGenerator<Buffer> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (let at = 0; this.file && at < this.size;) {
      const { bytesRead } = await this.file.read(chunk, 0, CHUNK_BYTES, at);
      if (bytesRead === 0) throw new Error('The file of a spool is shorter than it was.');
      yield chunk.subarray(0, bytesRead);
      at += bytesRead;
    }
    yield this.block.subarray(0, this.used);
  }
}
