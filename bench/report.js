/** Medians, spreads, tables and targets. */
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const RESULTS = fileURLToPath(new URL('./results/', import.meta.url));

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the median, with the least and the most in brackets. */
export function spread(numbers, digits = 0) {
  const text = (number) => number.toLocaleString('en', { maximumFractionDigits: digits });
  return `${text(median(numbers))} (${text(Math.min(...numbers))}–${text(Math.max(...numbers))})`;
}

/** Returns rows of cells as a Markdown table. */
export function table([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells, filler = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column], filler)).join(' | ')} |`;
  return [
    line(head),
    line(
      head.map(() => '---'),
      '-',
    ),
    ...rows.map((row) => line(row)),
  ].join('\n');
}

/** A figure beside what it is to be; `reached` is null where nothing is promised. */
export function target(name, value, bound, unit = '') {
  const [, sign, limit] = /^([<≥≤]) ([\d.]+)/.exec(bound ?? '') ?? [];
  const reached = { '<': value < limit, '≤': value <= limit, '≥': value >= limit }[sign] ?? null;
  const text = `${value.toFixed(value < 10 ? 2 : 0)}${unit}`;
  return { name, value, text, bound: bound ?? '', reached };
}

export function targetTable(targets) {
  return table([
    ['Figure', 'Measured', 'Target', ''],
    ...targets.map(({ name, text, bound, reached }) => [
      name,
      text,
      bound,
      reached === null ? '' : reached ? 'reached' : 'MISSED',
    ]),
  ]);
}

/** Writes a result to a file of today's date. */
export async function keepResult(suffix, result) {
  await mkdir(RESULTS, { recursive: true });
  const file = `${RESULTS}${new Date().toISOString().slice(0, 10)}${suffix}.json`;
  await writeFile(file, `${JSON.stringify(result, null, 1)}\n`);
  return file;
}
