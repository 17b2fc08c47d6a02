import type { QueryRunner, TableColumnOptions } from 'typeorm';

interface Options {
  nullable?: boolean;
}

/**
 * Columns of the kinds the tables are made of, as the engine at hand spells them. Additions only: a
 * merged migration must go on meaning what it meant.
 */
export function columns(runner: QueryRunner) {
  const { driver } = runner.dataSource;
  const integer = driver.normalizeType({ type: Number });
  const boolean = driver.normalizeType({ type: 'boolean' });
  const column = (
    name: string,
    type: string,
    { nullable = false }: Options = {},
    more: Partial<TableColumnOptions> = {},
  ): TableColumnOptions => ({ name, type, isNullable: nullable, ...more });
  return {
    /**
     * Integer primary key, given by the database: for what people make, not for what visitors cause. Those
     * rows have time-ordered UUIDs, which do not come to an end.
     */
    id: (name: string) =>
      column(
        name,
        integer,
        {},
        {
          isPrimary: true,
          isGenerated: true,
          generationStrategy: 'increment',
        },
      ),
    int: (name: string, options?: Options) => column(name, integer, options),
    flag: (name: string, options?: Options) => column(name, boolean, options),
    varchar: (name: string, length: number, options?: Options) =>
      column(name, 'varchar', options, { length: String(length) }),
    binary: (name: string, length: number, options?: Options) =>
      column(name, 'binary', options, { length: String(length) }),
    /** A moment in UTC, to the millisecond. */
    datetime: (name: string, options?: Options) =>
      column(name, 'datetime', options, { precision: 3 }),
    /** A type that needs no more than its name. */
    type: (name: string, type: string, options?: Options) => column(name, type, options),
  };
}
