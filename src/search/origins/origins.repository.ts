import { Injectable } from '@nestjs/common';
import { ReadManager, placeholders, selectRows } from '../../platform/database/index.js';
import { keyOf } from '../../submissions/rows/submission-ids.js';

/** The stored origin of a submission. */
interface OriginRow {
  id: Buffer;
  origin: string | null;
}

/** Reads which pages submissions came from. */
@Injectable()
export class OriginsRepository {
  constructor(private readonly source: ReadManager) {}

  /** Returns the origins for which some of these submissions were taken for spam; each origin once. */
  async refused(ids: readonly Buffer[]): Promise<string[]> {
    const rows = await this.rows(ids, "AND spam_code = 'origin' ORDER BY id DESC");
    return [...new Set(rows.flatMap(({ origin }) => origin ?? []))];
  }

  /** Returns the origins of these submissions, in the order of the ids. */
  async of(ids: readonly Buffer[]): Promise<OriginRow[]> {
    const rows = await this.rows(ids);
    const byId = new Map(rows.map((row) => [keyOf(row.id), row]));
    return ids.flatMap((id) => byId.get(keyOf(id)) ?? []);
  }

  private async rows(ids: readonly Buffer[], rest = '') {
    if (ids.length === 0) return [];
    return selectRows<OriginRow>(
      this.source,
      `SELECT id, origin FROM submissions WHERE id IN (${placeholders(ids)}) ${rest}`,
      [...ids],
    );
  }
}
