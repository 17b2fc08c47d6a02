import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolConnection, Query } from 'mysql2';
import type { DataSource, EntityManager } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { SubmissionConnection } from '../../src/platform/database/data-source.js';

/** Tables that may be locked with FOR UPDATE; docs/decisions/0026 says why for each. */
const LOCKED = [
  'accounts',
  'forms',
  'clients',
  'destinations',
  'submissions',
  'tokens',
  'memberships',
  'people',
  'submission_texts',
  'text_blocks',
  'text_postings',
];

/** SQL that not every server with MySQL's protocol supports in the same way, cluster or not. */
const RULES: readonly (readonly [name: string, broken: RegExp])[] = [
  ['no SERIALIZABLE', /\bSERIALIZABLE\b/i],
  ['no named locks', /\b(?:GET|RELEASE|IS_FREE|IS_USED)_LOCK\s*\(/i],
  ['no table locks', /^\s*(?:UN)?LOCK\s+TABLES?\b/i],
  ['no INSERT … SELECT', /^\s*(?:INSERT|REPLACE)\b(?:(?!\bVALUES\b)[^'"])*\bSELECT\b/i],
  ['no CREATE TABLE … SELECT', /^\s*CREATE\s+TABLE\b[^']*\bSELECT\b/i],
  ['no VALUES() in an upsert', /\bON\s+DUPLICATE\s+KEY\s+UPDATE\b.*\bVALUES\s*\(/is],
  ['no row alias in an upsert', /\bVALUES\b.*\)\s*AS\s+\S+\s+ON\s+DUPLICATE\s+KEY\b/is],
  ['no REPLACE', /^\s*REPLACE\b/i],
  ['no UPDATE or DELETE with LIMIT', /^\s*(?:UPDATE|DELETE)\b.*\bLIMIT\b/is],
  ['no UPDATE or DELETE of several tables', /^\s*(?:UPDATE|DELETE)\b[^']*\bJOIN\b/i],
  ['no JSON paths', /\bJSON_(?:EXTRACT|CONTAINS|CONTAINS_PATH|SEARCH|VALUE|TABLE|SET)\s*\(|->>?\s*['"]\$/i],
  [
    'no triggers, procedures, events or views',
    /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?:TRIGGER|PROCEDURE|FUNCTION|EVENT|VIEW)\b/i,
  ],
  ['no FULLTEXT', /\bFULLTEXT\b|\bMATCH\s*\([^)]*\)\s*AGAINST\b/i],
  ['no foreign keys', /\bFOREIGN\s+KEY\b(?!_)/i],
  ['one change for each ALTER', /^\s*ALTER\s+TABLE\b.*,\s*(?:ADD|DROP|CHANGE|MODIFY|RENAME|ALTER)\b/is],
  ['no collation that MariaDB lacks', /\butf8mb4_0900_\w+/i],
  ['no SKIP LOCKED', /\bSKIP\s+LOCKED\b/i],
  [
    'no FOR UPDATE but of rows in the list',
    new RegExp(`^(?!.*\\bFROM \`(?:${LOCKED.join('|')})\`).*\\bFOR\\s+UPDATE\\b`, 'is'),
  ],
];

/** Returns the names of the rules that a statement breaks. */
export function brokenBy(sql: string): string[] {
  return RULES.filter(([, broken]) => broken.test(sql)).map(([name]) => name);
}

const found: string[] = [];
const watched = new WeakSet<object>();
/** Set while a transaction of the service does its work. */
const inTransaction = new AsyncLocalStorage<true>();

/** From now on, looks at every statement that this process sends to the server of this database. */
export function watchSql(database: DataSource): void {
  const { pool } = database.driver as { pool?: Pool };
  if (!pool) return;
  const take = pool.getConnection.bind(pool);
  pool.getConnection = (callback) => {
    // When all connections belong to transactions that wait for another, none of them goes on.
    if (inTransaction.getStore()) {
      found.push(`a transaction takes one connection: ${new Error().stack ?? ''}`);
    }
    take((error, connection) => {
      // There is none after an error, whatever the types say.
      if (!error) watch(connection);
      callback(error, connection);
    });
  };
  if (watched.has(SubmissionConnection)) return;
  const transaction = Reflect.get<UnitOfWork, 'run'>(UnitOfWork.prototype, 'run');
  UnitOfWork.prototype.run = function <T>(work: (tx: EntityManager) => Promise<T>): Promise<T> {
    const marked = (tx: EntityManager) => inTransaction.run(true, () => work(tx));
    return Reflect.apply<UnitOfWork, [typeof marked], Promise<T>>(transaction, this, [marked]);
  };
  watched.add(SubmissionConnection);
  const run = Reflect.get<SubmissionConnection, 'run'>(SubmissionConnection.prototype, 'run');
  SubmissionConnection.prototype.run = function (statements) {
    for (const { sql } of statements) look(sql);
    return Reflect.apply(run, this, [statements]);
  };
}

function watch(connection: PoolConnection): void {
  if (watched.has(connection)) return;
  watched.add(connection);
  const query = connection.query.bind(connection) as (...args: unknown[]) => Query;
  connection.query = ((...args: unknown[]) => {
    const [first] = args as [string | { sql: string }];
    look(typeof first === 'string' ? first : first.sql);
    return query(...args);
  }) as typeof connection.query;
}

function look(sql: string): void {
  found.push(...brokenBy(sql).map((rule) => `${rule}: ${sql.slice(0, 500)}`));
}

/** Does what others do while a transaction that a test holds up is under way. */
export function besideTransaction<T>(work: () => T): T {
  return inTransaction.exit(work);
}

/** Returns the broken rules found since the last call. */
export function takeBroken(): string[] {
  return found.splice(0);
}
