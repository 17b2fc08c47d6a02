import { Injectable } from '@nestjs/common';
import type { ReadStream } from 'node:fs';
import type { EntityManager } from 'typeorm';
import { FileStore, type StoredFile } from './file-store.js';
import { FilesRepository } from './files.repository.js';
import {
  DAY_MS,
  MINUTE_MS,
  SECOND_MS,
  inPortions,
  BackgroundTask,
  type TaskRun,
  SigningService,
  timeOf,
} from '../../platform/index.js';
import { FileInfected, FileNotFound, LinkExpired } from './file.errors.js';
import type { FileScan } from './scans/file-scan.entity.js';
import { FileScansRepository, type Scanned } from './scans/file-scans.repository.js';
import { SubmittedFile } from './submitted-file.entity.js';
import { Projected, type Erased, type Forgotten, type Projection } from '../../forms/projections.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { VirusScanner } from './scans/virus-scanner.js';

/** Age in milliseconds from which a file without a row is an orphan: its request ended long ago. */
const ORPHAN_AGE_MS = DAY_MS;

/** Media type of a picture that browsers show without running anything. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** Bytes at the beginning of a file that tell what it is. */
export const HEAD_BYTES = 16;

/** Returns what a file is by its first bytes, whatever it is called; null for all that is no such picture. */
export function imageTypeOf(head: Buffer): ImageType | null {
  const text = head.toString('latin1');
  if (text.startsWith('\x89PNG\r\n\x1a\n') && text.slice(12, 16) === 'IHDR') return 'image/png';
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  return /^RIFF[^]{4}WEBPVP8/.test(text) ? 'image/webp' : null;
}

/** Purpose that links are signed with: a link of another purpose does not open a file. */
const LINK = 'file';
/** Life in milliseconds of the links in mails and webhook calls. */
const LINK_TTL_MS = 7 * DAY_MS;

/** Largest picture that is shown: pages show the original, at the size of a stamp. */
const IMAGE_MAX_BYTES = 5 * 1024 * 1024;

/** A file with its bytes. */
export interface OpenedFile {
  file: SubmittedFile;
  bytes: ReadStream;
}

/** Finds, opens and removes the files of submissions. */
@Injectable()
@Projected({ tables: ['files', 'file_scans'] })
export class FilesService implements Projection {
  constructor(
    private readonly files: FilesRepository,
    private readonly scans: FileScansRepository,
    private readonly store: FileStore,
    private readonly signing: SigningService,
    private readonly scanner: VirusScanner,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the files of these submissions, each submission's in the order they were sent. */
  listFor(submissionIds: Buffer[], tx?: EntityManager): Promise<SubmittedFile[]> {
    return this.files.in(tx).listFor(submissionIds);
  }

  /** Reads the files of these submissions. @returns what tells a submission's files, in the order they were sent */
  async listByOwner(submissionIds: Buffer[]): Promise<(submissionId: Buffer) => SubmittedFile[]> {
    const byOwner = new Map<string, SubmittedFile[]>();
    for (const file of await this.files.listFor(submissionIds)) {
      const owner = file.submissionId.toString('latin1');
      const own = byOwner.get(owner);
      if (own) own.push(file);
      else byOwner.set(owner, [file]);
    }
    return (submissionId) => byOwner.get(submissionId.toString('latin1')) ?? [];
  }

  /** Tells whether any submission has the file, as `manager` sees it. */
  isKnown(manager: EntityManager, id: Buffer) {
    return this.files.in(manager).isKnown(id);
  }

  /** Returns what scans for viruses found in these files, by the id as hex digits; files from before have none. */
  async scansOf(files: readonly SubmittedFile[]): Promise<Map<string, FileScan>> {
    const scans = await this.scans.of(files.map(({ id }) => id));
    return new Map(scans.map((scan) => [scan.fileId.toString('hex'), scan]));
  }

  /**
   * Lets the infected files of a submission be opened, or locks them again, within a transaction; its scope was checked
   * already.
   * @param unlockedAt null locks them
   */
  async unlock(tx: EntityManager, formId: number, submissionId: Buffer, unlockedAt: Date | null) {
    const files = await this.files.in(tx).listFor([submissionId]);
    const ids = files.filter((file) => file.formId === formId).map(({ id }) => id);
    await this.scans.in(tx).unlock(ids, unlockedAt);
  }

  /** @throws FileNotFound, FileInfected */
  async open(formId: number, submissionId: Buffer, id: Buffer): Promise<OpenedFile> {
    const file = await this.files.find(formId, submissionId, id);
    const [scan] = file ? await this.scans.of([file.id]) : [];
    if (scan?.isLocked === true) throw new FileInfected(scan.virus ?? '');
    const bytes = file && (await this.store.find(file.id));
    if (!bytes) throw new FileNotFound();
    return { file, bytes };
  }

  /** Returns what kind of picture a file is; null for what is none, or larger than IMAGE_MAX_BYTES. */
  async imageTypeOf({ id, size }: SubmittedFile): Promise<ImageType | null> {
    const head = size > IMAGE_MAX_BYTES ? null : await this.store.head(id, HEAD_BYTES);
    return head && imageTypeOf(head);
  }

  /**
   * Returns addresses that open these files without a token for a week, in the same order.
   * @param baseUrl of the service for who gets them
   */
  links(files: readonly SubmittedFile[], now: Date, baseUrl: string): Promise<string[]> {
    const expiresAt = new Date(now.getTime() + LINK_TTL_MS);
    return Promise.all(files.map(async (file) => `${baseUrl}/files/${await this.link(file, expiresAt)}`));
  }

  /** Returns the last part of such an address, which works until `expiresAt`. */
  link(file: SubmittedFile, expiresAt: Date) {
    const payload = Buffer.concat([int(file.formId), file.submissionId, file.id]);
    return this.signing.sign(LINK, payload, expiresAt);
  }

  /** @throws LinkExpired for a link that was altered or is too old @throws FileNotFound, FileInfected */
  async openLink(link: string): Promise<OpenedFile> {
    const payload = await this.signing.verify(LINK, link, new Date());
    if (payload?.length !== 36) throw new LinkExpired();
    return this.open(payload.readInt32BE(0), payload.subarray(4, 20), payload.subarray(20));
  }

  /** Removes the rows of files, within a transaction; the files themselves follow its commit. */
  async forget(tx: EntityManager, { ids }: Erased): Promise<Forgotten> {
    const files = await this.files.in(tx).listFor(ids);
    await this.scans.in(tx).removeFor(files.map(({ id }) => id));
    await this.files.in(tx).removeFor(ids);
    return {
      fileBytes: files.reduce((sum, { size }) => sum + size, 0),
      afterCommit: async () => {
        for (const { id } of files) await this.store.remove(id);
      },
    };
  }

  /**
   * Removes files older than a day that no submission has.
   * @returns how many were removed
   */
  @BackgroundTask('sweep files', DAY_MS)
  async sweep({ now, signal }: TaskRun): Promise<number> {
    let removed = 0;
    const old = this.store.olderThan(new Date(now.getTime() - ORPHAN_AGE_MS));
    await inPortions(async (rows) => {
      const ids: Buffer[] = [];
      while (ids.length < rows) {
        const next = await old.next();
        if (next.done === true) break;
        ids.push(next.value);
      }
      const orphans = await this.files.unknownAmong(ids);
      for (const id of orphans) await this.store.remove(id);
      removed += orphans.length;
      return ids.length;
    }, signal);
    return removed;
  }

  /** Returns the files of a submission with what their scans found; as they are, where none are made. */
  async of(files: StoredFile[]): Promise<StoredFile[]> {
    if (!this.scanner.isOn || files.length === 0) return files;
    if (this.scanner.isSilent) {
      const scan = { state: 'unscanned', virus: null, dueAt: this.unitOfWork.now() } as const;
      return files.map((file) => ({ ...file, scan }));
    }
    const late = AbortSignal.timeout(WAIT_MS);
    return Promise.all(
      files.map(async (file) => {
        const content = { size: file.size, open: () => this.store.findReceived(file.id) };
        return { ...file, scan: await this.scanner.scan(content, late) };
      }),
    );
  }

  /** Scans files that wait for it, one after the other, while clamd answers. The caller saves what was found. */
  async *again(now: Date, signal?: AbortSignal): AsyncGenerator<{ file: SubmittedFile; scan: Scanned }> {
    if (!this.scanner.isOn) return;
    let waiting = await this.scans.dueAt(now, AT_ONCE);
    if (waiting.length === 0 || !(await this.isThere())) return;
    while (waiting.length > 0) {
      for (const scan of waiting) {
        if (signal?.aborted === true || this.scanner.isSilent) return;
        const file = await this.files.findById(scan.fileId);
        const isLast = !file || ageOf(file, now) > LAST_TRY_AGE_MS;
        const next = isLast ? null : new Date(now.getTime() + RETRY_MS);
        const isMine = await this.unitOfWork.run((tx) => this.scans.in(tx).claim(scan, next));
        if (!file || !isMine) continue;
        const content = { size: file.size, open: () => this.store.find(file.id) };
        const found = await this.scanner.scan(content, AbortSignal.timeout(SCAN_MS));
        if (found.state !== 'unscanned' || found.dueAt === null) yield { file, scan: found };
      }
      waiting = await this.scans.dueAt(now, AT_ONCE);
    }
  }

  /** Saves what a later scan found, within a transaction. */
  save(tx: EntityManager, { id }: SubmittedFile, scan: Scanned) {
    return this.scans.in(tx).save(id, scan);
  }

  /** Counts files that wait for a scan, up to `max`. */
  countWaiting(max: number) {
    return this.scans.countWaiting(max);
  }

  private isThere() {
    return this.scanner.verify(AbortSignal.timeout(PING_MS)).then(
      () => true,
      () => false,
    );
  }
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

/** How long the scans of all files of a submission may keep its visitor waiting, in milliseconds. */
const WAIT_MS = 5 * SECOND_MS;
/** Time for a later scan, in milliseconds. */
const SCAN_MS = MINUTE_MS;
/** Time to the next try where clamd fails on a file and takes others, in milliseconds. */
const RETRY_MS = 10 * MINUTE_MS;
/** Age of a file from which such a try is its last, in milliseconds. */
const LAST_TRY_AGE_MS = DAY_MS;
/** Time for clamd to say that it is there, in milliseconds. */
const PING_MS = 2 * SECOND_MS;
/** Waiting scans that are read at a time. */
const AT_ONCE = 100;

function ageOf({ submissionId }: SubmittedFile, now: Date) {
  return now.getTime() - timeOf(submissionId).getTime();
}
