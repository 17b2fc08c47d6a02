import { insertStatement, sqlDate, type Statement } from '../../../platform/database/sql.js';
import type { ScanState } from './file-scan.entity.js';

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
