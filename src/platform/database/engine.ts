import type { DataSource } from 'typeorm';

/** Tells whether a database is the embedded SQLite file; otherwise it is a server. */
export function isEmbedded({ options }: Pick<DataSource, 'options'>): boolean {
  return options.type === 'better-sqlite3';
}
