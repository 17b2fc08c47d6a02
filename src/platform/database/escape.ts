import mysql from 'mysql2';

/**
 * From this length on, in characters, texts are escaped here. The driver's escaping joins a piece for each
 * character that it escapes: 150 ms for a million of them, where this takes 7.
 */
const LONG_TEXT_CHARS = 4_096;
const QUOTE = 0x27;
const BACKSLASH = 0x5c;

type SqlValue = Parameters<typeof mysql.escape>[0];
type Values = Parameters<typeof mysql.format>[1];

/** Wraps a text that escapes itself: the driver calls `toSqlString`. */
class LongText {
  constructor(private readonly text: string) {}

  /**
   * Returns the quoted text. It works on bytes: in UTF-8 no quote or backslash is part of another
   * character.
   */
  toSqlString(): string {
    if (!/['\\]/.test(this.text)) return `'${this.text}'`;
    const bytes = Buffer.from(this.text);
    const sql = Buffer.allocUnsafe(2 * bytes.length);
    let length = 0;
    for (const byte of bytes) {
      if (byte === QUOTE || byte === BACKSLASH) sql[length++] = BACKSLASH;
      sql[length++] = byte;
    }
    return `'${sql.toString('utf8', 0, length)}'`;
  }
}

/**
 * Writes rows as the list behind VALUES, in a third of the time of the driver, which looks at each value in every
 * way that it knows. In a session of ours (see `pool.ts`) a quote and a backslash alone mean something within quotes.
 */
export function rowsSql(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `(${row.map(valueSql).join(',')})`).join(',');
}

function valueSql(value: unknown): string {
  if (typeof value === 'string') return textSql(value);
  if (value === null) return 'NULL';
  if (Buffer.isBuffer(value)) return `X'${value.toString('hex')}'`;
  return mysql.escape(value as SqlValue, false, 'Z');
}

function textSql(text: string): string {
  if (text.length >= LONG_TEXT_CHARS) return new LongText(text).toSqlString();
  if (!text.includes("'") && !text.includes('\\')) return `'${text}'`;
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}

/** Returns how many bytes a long text takes in a statement. */
export function longTextBytes(text: string): number {
  let escaped = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE || unit === BACKSLASH) escaped++;
  }
  return Buffer.byteLength(text) + escaped;
}

/** Begins a text or a comment in a statement, where a `?` means itself. */
const TEXT_OR_COMMENT = /['"#]|--|\/\*/;

/**
 * Writes values into a statement in place of its `?`, as the driver's `queryFormat`. An array of rows
 * becomes a list of rows. Most statements are simple, and written in a fraction of the driver's time.
 * @param timezone that dates are written in; the driver passes the connection's
 */
export function formatSql(sql: string, values: Values, timezone = 'Z'): string {
  if (Array.isArray(values)) {
    if (values.length === 0) return sql;
    const parts = values.every(isPlain) && !TEXT_OR_COMMENT.test(sql) ? sql.split('?') : [];
    if (parts.length === values.length + 1) return filled(parts, values);
  }
  return mysql.format(sql, withLongTexts(values), false, timezone);
}

/** Tells whether a value is written as one value: a list or an object is more. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null || Buffer.isBuffer(value);
}

function filled(parts: readonly string[], values: readonly unknown[]): string {
  let sql = parts[0] ?? '';
  for (let at = 0; at < values.length; at++) sql += valueSql(values[at]) + (parts[at + 1] ?? '');
  return sql;
}

function withLongTexts(value: Values): Values {
  if (Array.isArray(value)) return value.map(withLongTexts);
  return typeof value === 'string' && value.length >= LONG_TEXT_CHARS ? new LongText(value) : value;
}
