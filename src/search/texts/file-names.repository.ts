import { Injectable } from '@nestjs/common';
import { TransactionalRepository } from '../../platform/database/transactional-repository.js';
import { selectRows } from '../../platform/database/select-rows.js';
import { placeholders } from '../../platform/database/statement.js';
import { keyOf } from '../../submissions/rows/byte-pieces.js';

/** Names of files, by the ids of their submissions as `keyOf` writes them; nothing for one without files. */
export type FileNames = ReadonlyMap<string, readonly string[]>;

/** Reads the names of files, which are a part of the texts of their submissions. */
@Injectable()
export class FileNamesRepository extends TransactionalRepository {
  /** Reads the names of the files of some submissions, in their order. */
  async of(submissions: readonly { id: Buffer }[]): Promise<FileNames> {
    const found = new Map<string, string[]>();
    if (submissions.length === 0 || !(await this.isAnyAmong(submissions))) return found;
    const rows = await selectRows<{ submission: Buffer; name: string }>(
      this.source,
      `SELECT submission_id AS submission, name FROM files
        WHERE submission_id IN (${placeholders(submissions)}) ORDER BY submission_id, position`,
      submissions.map(({ id }) => id),
    );
    for (const { submission, name } of rows) {
      const known = found.get(keyOf(submission));
      if (known) known.push(name);
      else found.set(keyOf(submission), [name]);
    }
    return found;
  }

  /** Tells whether any submission between the first and the last of these has files, which most have not. */
  private async isAnyAmong(submissions: readonly { id: Buffer }[]): Promise<boolean> {
    const ids = submissions.map(({ id }) => id).sort((one, other) => Buffer.compare(one, other));
    const rows = await selectRows(
      this.source,
      'SELECT 1 FROM files WHERE submission_id BETWEEN ? AND ? LIMIT 1',
      [ids[0], ids.at(-1)],
    );
    return rows.length > 0;
  }
}
