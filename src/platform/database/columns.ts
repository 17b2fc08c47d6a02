import {
  Column,
  DefaultNamingStrategy,
  getMetadataArgsStorage,
  PrimaryColumn,
  type ColumnOptions,
  In,
  LessThan,
  type EntityManager,
  type ObjectLiteral,
} from 'typeorm';
import { snakeCase } from '../kernel/text/text.js';

/** Names a column like its property, in snake case. */
export class SnakeCase extends DefaultNamingStrategy {
  override columnName(property: string, given: string | undefined) {
    return given ?? snakeCase(property);
  }
}

/** Stores a time, exact to a millisecond. */
export const Time = (options: ColumnOptions = {}) => Column({ type: 'datetime', precision: 3, ...options });

/** Stores a UUID, as its 16 bytes. UUIDs of version 7 rise with time. */
export const Uuid = (options: ColumnOptions = {}) => Column({ type: 'binary', length: 16, ...options });
export const UuidKey = () => PrimaryColumn({ type: 'binary', length: 16 });

/** The entities whose rows go with what a column names. */
const GOING: { entity: new () => ObjectLiteral; column: string }[] = [];

/** Has rows of an entity removed with what one of these columns names. */
export function GoesWith<Row extends ObjectLiteral>(...columns: (keyof Row & string)[]) {
  return (entity: new () => Row): void => {
    for (const column of columns) GOING.push({ entity, column });
  };
}

/** Removes all rows that go with these values of a column. */
export async function removeGoing(tx: EntityManager, column: string, values: readonly unknown[]) {
  for (const { entity } of GOING.filter((each) => each.column === column)) {
    await tx.delete(entity, { [column]: In([...values]) });
  }
}

/** Returns the tables whose rows go with something. */
export function tablesGoing(): string[] {
  return GOING.map(({ entity }) => getMetadataArgsStorage().tables.find(({ target }) => target === entity)?.name ?? '');
}

interface Expiry {
  entity: new () => ObjectLiteral;
  column: string;
  keptMs: number;
}

/** The entities whose rows end at a time. */
export const EXPIRIES: Expiry[] = [];

/** Rows that one transaction removes. */
const REMOVED_AT_ONCE = 200;

/** Has rows of an entity removed after the time in a column, which has an index, and so many milliseconds more. */
export function Expires<Row extends ObjectLiteral>(column: keyof Row & string, keptMs = 0) {
  return (entity: new () => Row): void => {
    EXPIRIES.push({ entity, column, keptMs });
  };
}

/** Removes some rows whose time is over. @returns how many */
export async function removeExpired(tx: EntityManager, { entity, column, keptMs }: Expiry, now: Date) {
  const rows = tx.getRepository(entity);
  const [key] = rows.metadata.primaryColumns;
  if (!key) return 0;
  const old = await rows.find({
    select: { [key.propertyName]: true },
    where: { [column]: LessThan(new Date(now.getTime() - keptMs)) },
    take: REMOVED_AT_ONCE,
  });
  const keys = old.map((row) => key.getEntityValue(row) as unknown);
  if (keys.length > 0) await rows.delete({ [key.propertyName]: In(keys) });
  return keys.length;
}
