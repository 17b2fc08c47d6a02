import { Injectable } from '@nestjs/common';
import type { ReadStream } from 'node:fs';
import type { EntityManager } from 'typeorm';
import { SigningService } from '../platform/signed-links/signing.service.js';
import { FileInfected, FileNotFound, LinkExpired } from './file.errors.js';
import { FileStore } from './file-store.js';
import { HEAD_BYTES, imageTypeOf, type ImageType } from './image-type.js';
import { FilesRepository } from './files.repository.js';
import type { FileScan } from './scans/file-scan.entity.js';
import { FileScansRepository } from './scans/file-scans.repository.js';
import { SubmittedFile } from './submitted-file.entity.js';
import { DAY_MS } from '../platform/kernel/time/durations.js';
import {
  Projected,
  type Erased,
  type Forgotten,
  type Projection,
} from '../projections/projection.js';

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
  ) {}

  /** Returns the files of these submissions, each submission's in the order they were sent. */
  listFor(submissionIds: Buffer[], tx?: EntityManager): Promise<SubmittedFile[]> {
    return (tx ? this.files.in(tx) : this.files).listFor(submissionIds);
  }

  /** Reads the files of these submissions. @returns what tells those of one of them, in the order they were sent */
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
  isKnown(manager: EntityManager, id: Buffer): Promise<boolean> {
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
  async unlock(
    tx: EntityManager,
    formId: number,
    submissionId: Buffer,
    unlockedAt: Date | null,
  ): Promise<void> {
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
    return Promise.all(
      files.map(async (file) => `${baseUrl}/files/${await this.link(file, expiresAt)}`),
    );
  }

  /** Returns the last part of such an address, which works until `expiresAt`. */
  link(file: SubmittedFile, expiresAt: Date): Promise<string> {
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
}

function int(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
