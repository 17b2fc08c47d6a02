import { Injectable } from '@nestjs/common';
import { ReadManager } from '../../platform/database/read-manager.js';
import { placeholders } from '../../platform/database/statement.js';
import { selectRows } from '../../platform/database/select-rows.js';
import type { Stretch } from './stretches.js';

/** Forms whose counts one statement sums up. */
const FORMS_AT_ONCE = 50;

/** How many submissions a page, an origin, a country or a value had. */
export interface FacetSum {
  /** Hexadecimal; OTHER for what has no name. */
  digest: string;
  /** Of the field; else empty. */
  name: string;
  text: string | null;
  isGoing: boolean;
  submissions: number;
}

/** Reads and sums up the counts of pages, origins, countries and values. */
@Injectable()
export class FacetSumsRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Sums up stretches of time for each form.
   * @param formIds ALL_FORMS is a form here
   */
  async sums(
    accountId: number,
    formIds: readonly number[],
    facet: number,
    stretches: readonly Stretch[],
  ): Promise<FacetSum[]> {
    if (stretches.length === 0) return [];
    // Asked for by its digest, a stretch is rows that lie side by side.
    const parts = stretches.map(
      ({ length, from, to }) =>
        `COALESCE((SELECT SUM(c.submissions) FROM facet_counts c WHERE c.account_id = v.account_id
          AND c.form_id = v.form_id AND c.facet = v.facet AND c.digest = v.digest
          AND c.length = ${length} AND c.begins >= ${from} AND c.begins < ${to}), 0)`,
    );
    const found: FacetSum[] = [];
    for (let at = 0; at < formIds.length; at += FORMS_AT_ONCE) {
      const some = formIds.slice(at, at + FORMS_AT_ONCE);
      const rows = await selectRows<Row>(
        this.source,
        `SELECT v.digest AS digest, v.name AS name, v.text AS text, v.going AS going, ${parts.join(' + ')} AS n
          FROM facet_values v WHERE v.account_id = ? AND v.form_id IN (${placeholders(some)}) AND v.facet = ?`,
        [accountId, ...some, facet],
      );
      found.push(
        ...rows.map(({ digest, name, text, going, n }) => ({
          ...{ digest: digest.toString('hex'), name, text, isGoing: going === 1 },
          // Servers send a sum as text.
          submissions: Number(n),
        })),
      );
    }
    return found.filter(({ submissions }) => submissions !== 0);
  }
}

interface Row {
  digest: Buffer;
  name: string;
  text: string | null;
  going: number;
  n: number | string;
}
