import { Injectable } from '@nestjs/common';
import { GRANTS_FIRST, visibleByGrant } from '../../forms/access/visible-forms.js';
import { ReadManager, placeholders } from '../../platform/database/sql.js';
import { selectRows } from '../../platform/database/select-rows.js';
import type { Stretch } from './stretches.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Forms whose counts one statement sums up. */
const FORMS_AT_ONCE = 50;

/** How many submissions a page, an origin, a country or a value had. */
export interface FacetSum {
  /** Hexadecimal; OTHER for what has no name. */
  digest: string;
  /** Name of the field; else empty. */
  name: string;
  text: string | null;
  isGoing: boolean;
  submissions: number;
}

/** Joins what counts know by name to a query for the forms that a client sees. */
const VALUES_OF_FORM =
  'CROSS JOIN facet_values v ON v.account_id = form.account_id AND v.form_id = form.id';

/** Whose counts are summed up; ALL_FORMS is a form here. */
export interface FacetsOf {
  accountId: number;
  formIds: readonly number[];
  /** The client whose forms are meant instead, which are too many to be named. */
  clientId?: number;
}

/** Reads and sums up the counts of pages, origins, countries and values. */
@Injectable()
export class FacetSumsRepository {
  constructor(private readonly source: ReadManager) {}

  /** Sums up stretches of time for each form; of all forms of a client at once. */
  async sums(
    { accountId, formIds, clientId }: FacetsOf,
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
    const n = parts.join(' + ');
    if (clientId !== undefined) return this.ofClient(accountId, clientId, facet, n);
    const found: FacetSum[] = [];
    for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
      const rows = await selectRows<Row>(
        this.source,
        `SELECT v.digest AS digest, v.name AS name, v.text AS text, v.going AS going, ${n} AS n
          FROM facet_values v WHERE v.account_id = ? AND v.form_id IN (${placeholders(some)}) AND v.facet = ?`,
        [accountId, ...some, facet],
      );
      found.push(...sumsIn(rows));
    }
    return found;
  }

  /**
   * Sums up what all forms of a client had, by one statement however many there are.
   * @param n what is summed up
   */
  private async ofClient(accountId: number, clientId: number, facet: number, n: string) {
    const { sql, values } = visibleByGrant(accountId, clientId, VALUES_OF_FORM);
    const rows = await selectRows<Row>(
      this.source,
      `SELECT ${GRANTS_FIRST} v.digest AS digest, v.name AS name,
        MAX(CASE WHEN v.going = 0 THEN v.text END) AS text,
        0 AS going, SUM(${n}) AS n
        ${sql} AND v.facet = ? GROUP BY v.digest, v.name`,
      [...values, facet],
    );
    return sumsIn(rows);
  }
}

interface Row {
  digest: Buffer;
  name: string;
  text: string | null;
  going: number;
  n: number | string;
}

/** Returns what rows say, without those that have nothing. */
function sumsIn(rows: readonly Row[]): FacetSum[] {
  const sums = rows.map(({ digest, name, text, going, n }) => ({
    ...{ digest: digest.toString('hex'), name, text, isGoing: going === 1 },
    // Servers send a sum as text.
    submissions: Number(n),
  }));
  return sums.filter(({ submissions }) => submissions !== 0);
}
