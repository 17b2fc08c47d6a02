import type { DataSource } from 'typeorm';

/** Column types that SQLite accepts, but that TypeORM's list for it lacks. */
const SERVER_COLUMN_TYPES = ['binary', 'mediumtext', 'mediumblob'] as const;

/** Lets entities name the types of a server's columns on SQLite too. Written for TypeORM 1.1. */
export function allowServerColumnTypes(driver: DataSource['driver']): void {
  driver.supportedDataTypes.push(...SERVER_COLUMN_TYPES);
  driver.withLengthColumnTypes.push(...SERVER_COLUMN_TYPES);
}
