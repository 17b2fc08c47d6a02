import { Column, PrimaryColumn, type ColumnOptions } from 'typeorm';

/** Stores a time, exact to a millisecond. */
export const Time = (name: string, options: ColumnOptions = {}) =>
  Column({ type: 'datetime', name, precision: 3, ...options });

/** Stores a UUID, as its 16 bytes. Those of version 7 rise with time. */
export const Uuid = (name: string, options: ColumnOptions = {}) =>
  Column({ type: 'binary', name, length: 16, ...options });
export const UuidKey = (name: string) => PrimaryColumn({ type: 'binary', name, length: 16 });
