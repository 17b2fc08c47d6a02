import { Injectable } from '@nestjs/common';
import { In, LessThanOrEqual } from 'typeorm';
import {
  selectEntities,
  changeRows,
  sqlDate,
  TransactionalRepository,
  insertStatement,
  type Statement,
} from '../../../platform/database/index.js';
import { FileScan, type ScanState } from './file-scan.entity.js';

/** Reads and changes what scans found. The transaction that stores a submission writes it first. */
@Injectable()
export class FileScansRepository extends TransactionalRepository {
  /** Returns the scans that these files have. */
  of(fileIds: readonly Buffer[]): Promise<FileScan[]> {
    return selectEntities(this.source, FileScan, { fileId: fileIds });
  }

  /** Returns those to be scanned again by now, the longest waiting first. */
  dueAt(now: Date, limit: number): Promise<FileScan[]> {
    return this.source.manager.find(FileScan, {
      where: { dueAt: LessThanOrEqual(now) },
      order: { dueAt: 'ASC' },
      take: limit,
    });
  }

  /** Counts those that wait for a scan, up to `max`. */
  async countWaiting(max: number) {
    const rows = await this.source.manager.find(FileScan, {
      select: { fileId: true },
      where: { dueAt: LessThanOrEqual(FAR) },
      take: max,
    });
    return rows.length;
  }

  /**
   * Takes a due scan for this instance: it is due again at `next`, if it is not made until then.
   * @returns false where another instance was faster
   */
  async claim({ fileId, dueAt }: FileScan, next: Date | null) {
    const changed = await changeRows(
      this.source.manager,
      'UPDATE file_scans SET due_at = ? WHERE file_id = ? AND due_at = ?',
      [next && sqlDate(next), fileId, dueAt && sqlDate(dueAt)],
    );
    return changed === 1;
  }

  async save(fileId: Buffer, { state, virus, dueAt }: Scanned) {
    await this.source.manager.update(FileScan, { fileId }, { state, virus, dueAt });
  }

  /** Unlocks the infected ones among these files, or locks them again with null. */
  async unlock(fileIds: readonly Buffer[], unlockedAt: Date | null) {
    if (fileIds.length === 0) return;
    const infected = { fileId: In([...fileIds]), state: 'infected' as const };
    await this.source.manager.update(FileScan, infected, { unlockedAt });
  }

  async removeFor(fileIds: readonly Buffer[]) {
    if (fileIds.length > 0) await this.source.manager.delete(FileScan, { fileId: In([...fileIds]) });
  }
}

/** After every time that a scan is due. */
const FAR = new Date('9999-01-01');

const COLUMNS = ['file_id', 'state', 'virus', 'due_at'];

/** Result of a scan. */
export interface Scanned {
  state: ScanState;
  /** Null unless it is infected. */
  virus: string | null;
  /** When an unscanned file is scanned again; null for never. */
  dueAt: Date | null;
}

/** Returns the statements that store the scans of files, for the transaction that stores the files. */
export function fileScanInserts(files: readonly { id: Buffer; scan?: Scanned }[]): Statement[] {
  const rows = files.flatMap(({ id, scan }) =>
    scan ? [[id, scan.state, scan.virus, scan.dueAt && sqlDate(scan.dueAt)]] : [],
  );
  return insertStatement('file_scans', COLUMNS, rows);
}
