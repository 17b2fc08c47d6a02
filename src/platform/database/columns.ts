import { Column, DefaultNamingStrategy, PrimaryColumn, type ColumnOptions } from 'typeorm';
import { snakeCase } from '../kernel/text/text.js';

/** Names a column like its property, in snake case. */
export class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined): string {
    return given ?? snakeCase(property);
  }
}

/** Stores a time, exact to a millisecond. */
export const Time = (options: ColumnOptions = {}) =>
  Column({ type: 'datetime', precision: 3, ...options });

/** Stores a UUID, as its 16 bytes. Those of version 7 rise with time. */
export const Uuid = (options: ColumnOptions = {}) =>
  Column({ type: 'binary', length: 16, ...options });
export const UuidKey = () => PrimaryColumn({ type: 'binary', length: 16 });
