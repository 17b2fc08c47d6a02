import { Injectable } from '@nestjs/common';
import { isEmbedded, ReadManager, placeholders } from '../../platform/database/index.js';
import type { Condition, SubmissionFilter } from '../../submissions/filter/submission-filter.js';
import { selectIds, type Bound, textSizes } from '../../submissions/rows/submission-ids.js';

/** Columns of what is shown; whether it has files is asked here, since few have. */
const SHOWN = `, trash, spam, spam_reason, CAST(created_at AS CHAR) AS created_at, origin,
  EXISTS (SELECT 1 FROM files WHERE submission_id = submissions.id) AS has_files`;

/** A submission in an export, as the driver reads it: booleans are 0 and 1. */
export interface ExportRow {
  id: Buffer;
  form_id: number;
  /** Null when it is longer than was asked for. */
  payload: string | null;
  trash: number;
  spam: number;
  spam_reason: string | null;
  /** In UTC, such as `2030-01-31 12:00:00.000`; as a date it would be parsed to be written again. */
  created_at: string;
  origin: string | null;
  has_files: number | string;
}

/** Reads rows for exports as the driver has them: making entities of them would take longer than all else. */
@Injectable()
export class ExportRowsRepository {
  constructor(private readonly source: ReadManager) {}

  get isEmbedded() {
    return isEmbedded(this.source.manager.dataSource);
  }

  /**
   * Reads the newest rows of a form within a bound, newest first, of a filter that the index of lists answers.
   * @param maxBytes values that are longer are null
   */
  async newest(
    formId: number,
    filter: SubmissionFilter,
    bound: Bound,
    limit: number,
    maxBytes: number,
  ): Promise<ExportRow[]> {
    const { sql, parameters } = selectIds(formId, filter, 'DESC', limit, 0, bound);
    const from = { sql: `FROM (${sql}) AS page JOIN submissions ON submissions.id = page.id`, parameters };
    return this.select(formId, from, maxBytes);
  }

  /**
   * Reads the rows of the form among these ids, newest first. It reads by id alone: with the form as a condition,
   * SQLite would read all of the form's rows.
   */
  among(formId: number, ids: readonly Buffer[], maxBytes: number): Promise<ExportRow[]> {
    const from = { sql: `FROM submissions WHERE submissions.id IN (${placeholders(ids)})`, parameters: [...ids] };
    return this.select(formId, from, maxBytes);
  }

  /** Reads how many bytes the values of each of these have; ids as `keyOf` writes them. */
  sizes(ids: readonly Buffer[]): Promise<Map<string, number>> {
    return textSizes(this.source.manager, ids);
  }

  private async select(formId: number, { sql, parameters }: Condition, maxBytes: number) {
    const rows = await this.source.manager.query<ExportRow[]>(
      `SELECT submissions.id, form_id,
        CASE WHEN OCTET_LENGTH(payload) <= ${maxBytes} THEN payload END AS payload
        ${SHOWN} ${sql}`,
      parameters,
    );
    // Most are in order already, and a server would sort them with their values.
    return rows.filter((row) => row.form_id === formId).sort((one, other) => other.id.compare(one.id));
  }
}
