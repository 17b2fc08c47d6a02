import { expect } from '@jest/globals';
import type { Ledger } from './ledger.js';
import { TOKEN } from './running-service.js';

interface Row {
  id: string;
  values: { number: number };
}

/**
 * Compares a ledger with what the service has, prints the outcome, and fails unless what was
 * acknowledged is there once and the form's count is exact.
 */
export async function expectNothingLost(
  name: string,
  ledger: Ledger,
  service: string,
  form: string,
): Promise<void> {
  const headers = { Authorization: `Bearer ${TOKEN}` };
  const address = `${service}/api/v1/forms/${form}`;
  const exported = await (await fetch(`${address}/submissions.ndjson`, { headers })).text();
  const { submission_count: count } = (await (await fetch(address, { headers })).json()) as {
    submission_count: number;
  };
  const rows = exported
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row);

  const ids = new Set(rows.map(({ id }) => id));
  const numbers = new Set(rows.map(({ values }) => values.number));
  const acknowledged = ledger.acknowledged.size;
  const lost = [...ledger.acknowledged.values()].filter((id) => !ids.has(id)).length;
  const doubled = rows.length - numbers.size;
  const ambiguous = [...numbers].filter((number) => !ledger.acknowledged.has(number)).length;
  process.stdout.write(
    `${name}: acknowledged ${acknowledged}, stored ${rows.length}, lost ${lost}, doubled ${doubled}, ambiguous ${ambiguous}\n`,
  );
  expect({ lost, doubled, count }).toEqual({ lost: 0, doubled: 0, count: rows.length });
  expect(acknowledged).toBeGreaterThan(0);
}
