import type { Caller } from '../../support/service.js';
import type { Ledger } from './ledger.js';

/** Every submission of the longest overload, with room to spare. */

interface Row {
  id: string;
  /** Values of a submission; without a number outside of the ledger. */
  values: { number?: number };
}

/**
 * Compares a ledger with what the service has, prints the outcome, and fails unless what was
 * acknowledged is there once and the form's count is exact.
 */
export async function expectNothingLost(name: string, ledger: Ledger, owner: Caller, form: string): Promise<void> {
  const address = `/api/v1/forms/${form}` as const;
  const exported = await owner.download(`${address}/submissions.ndjson`);
  const { body } = await owner.get(address);
  const { submission_count: count } = body;
  const rows = exported
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

  const ids = new Set(rows.map(({ id }) => id));
  const sent = rows.flatMap(({ values }) => values.number ?? []);
  const numbers = new Set(sent);
  const acknowledged = ledger.acknowledged.size;
  const lost = [...ledger.acknowledged.values()].filter((id) => !ids.has(id)).length;
  const doubled = sent.length - numbers.size;
  const ambiguous = [...numbers].filter((number) => !ledger.acknowledged.has(number)).length;
  process.stdout.write(
    `${name}: acknowledged ${acknowledged}, stored ${rows.length}, lost ${lost}, doubled ${doubled}, ambiguous ${ambiguous}\n`,
  );
  expect({ lost, doubled, count }).toEqual({ lost: 0, doubled: 0, count: rows.length });
  expect(acknowledged).toBeGreaterThan(0);
}

/** Fails unless each submission was answered, and taken. */
export function expectAllTaken({ refused, unanswered }: Ledger): void {
  expect({ refused, unanswered }).toEqual({ refused: 0, unanswered: 0 });
}
