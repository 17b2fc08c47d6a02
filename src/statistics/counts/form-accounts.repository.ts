import type { EntityManager } from 'typeorm';
import { placeholders } from '../../platform/database/statement.js';
import { inSlices } from '../../platform/kernel/slices.js';

/** Forms that one statement looks up. */
const FORMS_AT_ONCE = 500;

/** Returns the account of each of these forms that is not deleted. */
export async function accountsOf(
  manager: EntityManager,
  formIds: readonly number[],
): Promise<Map<number, number>> {
  const accounts = new Map<number, number>();
  for (const some of inSlices(formIds, FORMS_AT_ONCE)) {
    const found = await manager.query<{ id: number; account_id: number }[]>(
      `SELECT id, account_id FROM forms WHERE deleted_at IS NULL AND id IN (${placeholders(some)})`,
      some,
    );
    for (const { id, account_id } of found) accounts.set(id, account_id);
  }
  return accounts;
}

/** Returns the account of a form, deleted or not; null for none. */
export async function accountOf(manager: EntityManager, formId: number): Promise<number | null> {
  const [form] = await manager.query<{ account_id: number }[]>(
    'SELECT account_id FROM forms WHERE id = ?',
    [formId],
  );
  return form?.account_id ?? null;
}
