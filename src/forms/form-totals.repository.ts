import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../platform/database/transactional-repository.js';
import { forUpdateSql } from '../platform/database/engine.js';
import { selectRows } from '../platform/database/select-rows.js';

/** Totals over the forms of an account. */
export interface AccountTotals {
  forms: number;
  submissions: number;
  filesBytes: number;
}

/** Totals of one erasure in a form. */
export interface Erased {
  /** Submissions that were counted. */
  counted: number;
  /** Bytes of all erased files. */
  bytes: number;
}

/** Reads and writes what forms have in all, and how often something of them was erased. */
@Injectable()
export class FormTotalsRepository extends TransactionalRepository {
  /** Counts what the forms of every account have; files count until the purge of a deleted form. */
  async byAccount(): Promise<Map<number, AccountTotals>> {
    const rows = await selectRows<Record<'accountId' | keyof AccountTotals, number | string>>(
      this.source,
      `SELECT account_id AS accountId, COUNT(CASE WHEN deleted_at IS NULL THEN 1 END) AS forms,
        SUM(CASE WHEN deleted_at IS NULL THEN submission_count ELSE 0 END) AS submissions,
        SUM(files_bytes) AS filesBytes
       FROM \`forms\` GROUP BY account_id`,
      [],
    );
    return new Map(
      rows.map(({ accountId, forms, submissions, filesBytes }) => [
        Number(accountId),
        {
          forms: Number(forms),
          submissions: Number(submissions),
          filesBytes: Number(filesBytes),
        },
      ]),
    );
  }

  /** Sums what the files of an account take, in bytes; those of a deleted form count until its purge. */
  async filesBytes(accountId: number): Promise<number> {
    const [row] = await selectRows<{ bytes: number | string | null }>(
      this.source,
      'SELECT SUM(files_bytes) AS bytes FROM `forms` WHERE account_id = ?',
      [accountId],
    );
    return Number(row?.bytes ?? 0);
  }

  /** Takes what was erased off the sums of a form, and counts the erasure. */
  async noteErasure(id: number, { counted, bytes }: Erased): Promise<void> {
    await this.source.manager.query(
      `UPDATE forms SET submission_count = submission_count - ?, files_bytes = files_bytes - ?,
        erasures = erasures + 1 WHERE id = ?`,
      [counted, bytes, id],
    );
  }

  /** Returns how often something of a form was erased; 0 when there is no such form. */
  async erasuresOf(id: number, lock = ''): Promise<number> {
    const [row] = await this.source.manager.query<{ erasures: number }[]>(
      `SELECT erasures FROM \`forms\` WHERE id = ?${lock}`,
      [id],
    );
    return row?.erasures ?? 0;
  }

  /** Returns the same, and lets no erasure of the form be committed before this transaction. */
  lockErasures(id: number): Promise<number> {
    return this.erasuresOf(id, forUpdateSql(this.source.manager.dataSource));
  }
}
