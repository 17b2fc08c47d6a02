import type { Scope } from '../../accounts/access/index.js';

const OF_ACCOUNT = 'form.account_id = ? AND form.deleted_at IS NULL';
const GRANTED = 'access.form_id = form.id AND access.client_id = ?';

/** Hint after SELECT in a query with `visibleByGrant`: servers keep the order of its tables then. */
export const GRANTS_FIRST = '/*! STRAIGHT_JOIN */';

/** A FROM and a WHERE, with the values of their parameters. */
export interface VisibleForms {
  sql: string;
  values: number[];
}

/**
 * Returns the forms that a scope sees; a client sees those that it was granted.
 * @param joined further tables, without parameters
 */
export function visibleTo({ accountId, clientId }: Scope, joined = ''): VisibleForms {
  if (clientId === null) {
    return { sql: `FROM \`forms\` form ${joined} WHERE ${OF_ACCOUNT}`, values: [accountId] };
  }
  const granted = `INNER JOIN form_grants access ON ${GRANTED}`;
  return { sql: `FROM \`forms\` form ${granted} ${joined} WHERE ${OF_ACCOUNT}`, values: [clientId, accountId] };
}

/** Returns the same for a query for some of them in the order of ids. MySQL goes through the forms of all accounts instead. */
export function visibleInOrder(scope: Scope, joined = ''): VisibleForms {
  if (scope.clientId !== null) return visibleTo(scope, joined);
  return visibleTo(scope, `/*! FORCE INDEX (ix_forms_account) */ ${joined}`);
}

/**
 * Returns the same for a query that goes through all forms of a client, or what each of them has: from its grants on.
 * Databases go through all forms of the account, or what these have, instead; servers need GRANTS_FIRST too.
 */
export function visibleByGrant(accountId: number, clientId: number, joined = ''): VisibleForms {
  return {
    sql: `FROM form_grants access CROSS JOIN \`forms\` form ON ${GRANTED} ${joined} WHERE ${OF_ACCOUNT}`,
    values: [clientId, accountId],
  };
}

/**
 * Returns a join for rows that name a form, and the column that is null then where the scope does not see it.
 * @param formId column of those rows
 */
export function seenBy({ accountId, clientId }: Scope, formId: string) {
  const own = `LEFT JOIN \`forms\` form ON form.id = ${formId} AND ${OF_ACCOUNT}`;
  const granted = `LEFT JOIN form_grants access ON ${GRANTED}`;
  return clientId === null
    ? { sql: own, values: [accountId], seen: 'form.id' }
    : { sql: `${own} ${granted}`, values: [accountId, clientId], seen: 'access.form_id' };
}

/**
 * Returns the same for a query that names ids or identifiers. Without the plus and the order of the tables, SQLite goes
 * through all forms of the account or the client instead.
 */
export function visibleByKey(scope: Scope): VisibleForms {
  const { sql, values } = visibleTo(scope);
  const byKey = sql.replace('INNER JOIN', 'CROSS JOIN').replace('form.account_id', '+form.account_id');
  return { sql: byKey, values };
}
