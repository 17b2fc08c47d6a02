import type { QueryRunner, TableColumnOptions } from 'typeorm';

interface Options {
  nullable?: boolean;
}

/**
 * Returns column definitions for the current engine. Add to it, but change nothing: merged migrations must
 * keep their meaning.
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
     * An auto-increment key, for rows that people make. Rows that visitors cause have time-ordered UUIDs,
     * whose numbers do not run out.
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
    /** A moment in UTC, in milliseconds. */
    datetime: (name: string, options?: Options) =>
      column(name, 'datetime', options, { precision: 3 }),
    /** A type without parameters. */
    type: (name: string, type: string, options?: Options) => column(name, type, options),
  };
}
