import type { Scope } from '../access/principal.js';

const OF_ACCOUNT = 'WHERE form.account_id = ? AND form.deleted_at IS NULL';

/** Returns the FROM and WHERE of the forms that a scope sees; a client sees those that it was granted. */
export function visibleTo({ accountId, clientId }: Scope): { sql: string; values: number[] } {
  if (clientId === null) return { sql: `FROM \`forms\` form ${OF_ACCOUNT}`, values: [accountId] };
  const granted =
    'INNER JOIN form_grants access ON access.form_id = form.id AND access.client_id = ?';
  return { sql: `FROM \`forms\` form ${granted} ${OF_ACCOUNT}`, values: [clientId, accountId] };
}
