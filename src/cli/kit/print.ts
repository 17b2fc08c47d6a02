/**
 * Prints a result: one JSON document with `json`, else a table of the same rows with aligned columns.
 */
export function print(rows: Record<string, unknown>[], { json = false }: { json?: boolean }): void {
  process.stdout.write(json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows));
}

function table(rows: Record<string, unknown>[]): string {
  const [first] = rows;
  if (!first) return 'None.\n';
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => cell(row[name])))];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) => line.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
