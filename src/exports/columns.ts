/** Columns that every export has, before those of the form's fields. */
export const FIXED_COLUMNS = ['id', 'created_at', 'spam', 'trash', 'origin', 'files'] as const;

/** The columns that a table has when somebody asks for them, or when its form uses what they are about. */
export const FURTHER_COLUMNS = ['confirmation_state'] as const;

export type FixedColumn = (typeof FIXED_COLUMNS | typeof FURTHER_COLUMNS)[number];

/** Prefix of field names that a request could otherwise read as something else. */
export const FIELD_PREFIX = 'values.';

/** The column that fields share once there are too many for columns of their own. */
export const SHARED_COLUMN = 'other fields';

/** A column that was chosen: a fixed one, or the field of a form. */
export type Column = { fixed: FixedColumn } | { field: string };

/** Returns the columns of these names in their order, each once: a fixed one by its name, else a field by its own. */
export function columnsOf(names: readonly string[]): Column[] {
  const columns = names.map((name): Column => {
    return isFixed(name) ? { fixed: name } : { field: fieldOfColumn(name) };
  });
  const byKey = new Map(columns.map((column) => [JSON.stringify(column), column]));
  return [...byKey.values()];
}

/** Returns the name that stands for a field in `columnsOf` and in the header of a table: that of no other column. */
export function columnNameOf(field: string): string {
  const isTaken = isFixed(field) || field === SHARED_COLUMN || field.startsWith(FIELD_PREFIX);
  return isTaken ? FIELD_PREFIX + field : field;
}

/** Returns the field that a column of this name has the values of, where it is not fixed. */
export function fieldOfColumn(name: string): string {
  return name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name;
}

function isFixed(name: string): name is FixedColumn {
  return ([...FIXED_COLUMNS, ...FURTHER_COLUMNS] as readonly string[]).includes(name);
}
