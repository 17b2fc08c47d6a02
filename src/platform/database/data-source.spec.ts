import { Logger } from '@nestjs/common';
import { DatabaseRefused, engineOf, openDatabase } from './data-source.js';

describe('The version of a database server', () => {
  it.each([
    ['8.4.0', 'mysql'],
    ['9.7.1', 'mysql'],
    ['10.11.14-MariaDB-0+deb12u2', 'mariadb'],
    ['5.5.5-10.11.6-MariaDB', 'mariadb'],
    ['11.4.2-MariaDB', 'mariadb'],
  ])('%s is taken for %s', (version, engine) => {
    expect(engineOf(version)).toBe(engine);
  });

  it.each(['5.7.44', '8.0.40', '8.3.0', '10.6.18-MariaDB', '5.5.5-10.5.1-MariaDB'])(
    '%s is refused in a sentence that says which are needed',
    (version) => {
      expect(() => engineOf(version)).toThrow(DatabaseRefused);
      expect(() => engineOf(version)).toThrow(
        `The database server is version ${version}. The service needs MySQL 8.4 or newer, or MariaDB 10.11 or newer.`,
      );
    },
  );
});

it('A slow statement is logged without the values in it (O-09)', async () => {
  let printed = '';
  const note = (...parts: unknown[]) => (printed += JSON.stringify(parts));
  jest.spyOn(console, 'log').mockImplementation(note);
  jest.spyOn(console, 'warn').mockImplementation(note);
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(note);
  const slow = { type: 'better-sqlite3', database: ':memory:', maxQueryExecutionTime: -1 } as const;
  const database = await openDatabase(slow);
  await database.query('SELECT ? AS name', ['Jane']);
  await database.destroy();

  expect(printed).toContain('SELECT ? AS name');
  expect(printed).not.toContain('Jane');
});
