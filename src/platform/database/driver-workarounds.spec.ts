import mysql from 'mysql2';
import { formatSql, rowsSql } from './driver-workarounds.js';

const VALUES = ['', 'a?b', 7, null, true, Buffer.from([0, 39, 255]), undefined];

describe('Values of a statement', () => {
  it.each([
    'SELECT 1 WHERE a IN (?,?,?,?) AND b = ? AND c = ? AND d = ?',
    "SELECT '?' WHERE a IN (?,?,?,?) AND b = ? AND c = ? AND d = ?",
    'SELECT `?` WHERE a IN (?,?,?,?) AND b = ? AND c = ? AND d = ?',
    'SELECT 1 WHERE a IN (?,?,?,?) AND b = ? AND c = ? /* ? */ AND d = ?',
    'SELECT 1 WHERE a IN (?,?,?,?)',
  ])('are written where the driver writes them: %s', (sql) => {
    expect(formatSql(sql, VALUES)).toBe(mysql.format(sql, VALUES));
  });

  it('are the rows of a list, and left alone where there are none', () => {
    expect(
      formatSql('INSERT INTO t (a,b) VALUES ?', [
        [
          [1, 'x'],
          [2, 'y'],
        ],
      ]),
    ).toBe("INSERT INTO t (a,b) VALUES (1, 'x'), (2, 'y')");
    expect(formatSql('SELECT ?', [])).toBe('SELECT ?');
  });

  it('end no text of their own', () => {
    const hostile = String.raw`'); DROP TABLE t; -- \'`;
    const written = String.raw`('\'); DROP TABLE t; -- \\\'',NULL,X'00')`;
    expect(rowsSql([[hostile, null, Buffer.alloc(1)]])).toBe(written);
    expect(formatSql('SELECT ?', [hostile])).toBe(String.raw`SELECT '\'); DROP TABLE t; -- \\\''`);
    for (const mark of ["'", '\\']) {
      expect(formatSql('SELECT ?', [mark.repeat(4_096)])).toBe(`SELECT '${`\\${mark}`.repeat(4_096)}'`);
    }
  });
});
