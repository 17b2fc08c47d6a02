import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../platform/kernel/time/durations.js';
import { timeOf } from '../platform/kernel/uuid.js';
import { FileStore, type StoredFile } from './file-store.js';
import { FilesRepository } from './files.repository.js';
import type { Scanned } from './scans/file-scan-inserts.js';
import { FileScansRepository } from './scans/file-scans.repository.js';
import { VirusScanner } from './scans/virus-scanner.js';
import type { SubmittedFile } from './submitted-file.entity.js';

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

/** Has files scanned for viruses: while their visitor waits, and later where that failed. */
@Injectable()
export class UploadScans {
  constructor(
    private readonly store: FileStore,
    private readonly files: FilesRepository,
    private readonly scans: FileScansRepository,
    private readonly scanner: VirusScanner,
    private readonly unitOfWork: UnitOfWork,
  ) {}

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
  async *again(
    now: Date,
    signal?: AbortSignal,
  ): AsyncGenerator<{ file: SubmittedFile; scan: Scanned }> {
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
  save(tx: EntityManager, { id }: SubmittedFile, scan: Scanned): Promise<void> {
    return this.scans.in(tx).save(id, scan);
  }

  /** Counts files that wait for a scan, up to `max`. */
  countWaiting(max: number): Promise<number> {
    return this.scans.countWaiting(max);
  }

  private isThere(): Promise<boolean> {
    return this.scanner.verify(AbortSignal.timeout(PING_MS)).then(
      () => true,
      () => false,
    );
  }
}

function ageOf({ submissionId }: SubmittedFile, now: Date): number {
  return now.getTime() - timeOf(submissionId).getTime();
}
