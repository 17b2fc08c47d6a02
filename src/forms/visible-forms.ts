import type { Scope } from '../access/principal.js';

const OF_ACCOUNT = 'WHERE form.account_id = ? AND form.deleted_at IS NULL';

/** Returns the FROM and WHERE of the forms that a scope sees; a client sees those that it was granted. */
export function visibleTo({ accountId, clientId }: Scope): { sql: string; values: number[] } {
  if (clientId === null) return { sql: `FROM \`forms\` form ${OF_ACCOUNT}`, values: [accountId] };
  const granted =
    'INNER JOIN form_grants access ON access.form_id = form.id AND access.client_id = ?';
  return { sql: `FROM \`forms\` form ${granted} ${OF_ACCOUNT}`, values: [clientId, accountId] };
}

/** Returns the same for a query for some of them in the order of ids. MySQL goes through the forms of all accounts instead. */
export function visibleInOrder(scope: Scope): { sql: string; values: number[] } {
  const { sql, values } = visibleTo(scope);
  if (scope.clientId !== null) return { sql, values };
  return { sql: sql.replace('WHERE', '/*! FORCE INDEX (ix_forms_account) */ WHERE'), values };
}

/**
 * Returns the same for a query that goes through all forms of a client, or what each of them has: from its grants on.
 * SQLite goes through all forms of the account, or what these have, instead.
 */
export function visibleByGrant(accountId: number, clientId: number) {
  const { sql, values } = visibleTo({ accountId, clientId });
  const byGrant = sql.replace(
    'FROM `forms` form INNER JOIN form_grants access',
    'FROM form_grants access CROSS JOIN `forms` form',
  );
  return { sql: byGrant, values };
}

/**
 * Returns a join for rows that name a form, and the column that is null then where the scope does not see it.
 * @param formId column of those rows
 */
export function seenBy({ accountId, clientId }: Scope, formId: string) {
  const own = `LEFT JOIN \`forms\` form ON form.id = ${formId} AND form.account_id = ? AND form.deleted_at IS NULL`;
  const granted =
    'LEFT JOIN form_grants access ON access.form_id = form.id AND access.client_id = ?';
  return clientId === null
    ? { sql: own, values: [accountId], seen: 'form.id' }
    : { sql: `${own} ${granted}`, values: [accountId, clientId], seen: 'access.form_id' };
}

/**
 * Returns the same for a query that names ids or identifiers. Without the plus and the order of the tables, SQLite goes
 * through all forms of the account or the client instead.
 */
export function visibleByKey(scope: Scope): { sql: string; values: number[] } {
  const { sql, values } = visibleTo(scope);
  const byKey = sql
    .replace('INNER JOIN', 'CROSS JOIN')
    .replace('form.account_id', '+form.account_id');
  return { sql: byKey, values };
}
