/** Columns that every export has, before those of the form's fields. */
export const FIXED_COLUMNS = ['id', 'created_at', 'spam', 'trash', 'origin', 'files'] as const;

/** The columns that a table has when somebody asks for them, or when its form uses what they are about. */
export const FURTHER_COLUMNS = ['confirmation_state'] as const;

export type FixedColumn = (typeof FIXED_COLUMNS | typeof FURTHER_COLUMNS)[number];

/** Prefix of field names that a request could otherwise read as something else. */
const FIELD_PREFIX = 'values.';

/** A column that was chosen: a fixed one, or the field of a form. */
export type Column = { fixed: FixedColumn } | { field: string };

/** Returns the columns of these names in their order, each once: a fixed one by its name, else a field by its own. */
export function columnsOf(names: readonly string[]): Column[] {
  const columns = names.map((name): Column => {
    if (isFixed(name)) return { fixed: name };
    return { field: name.startsWith(FIELD_PREFIX) ? name.slice(FIELD_PREFIX.length) : name };
  });
  const byKey = new Map(columns.map((column) => [JSON.stringify(column), column]));
  return [...byKey.values()];
}

/** Returns the name that stands for a field in `columnsOf`. */
export function columnNameOf(field: string): string {
  return isFixed(field) || field.startsWith(FIELD_PREFIX) ? FIELD_PREFIX + field : field;
}

function isFixed(name: string): name is FixedColumn {
  return ([...FIXED_COLUMNS, ...FURTHER_COLUMNS] as readonly string[]).includes(name);
}
