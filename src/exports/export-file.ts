import type { Form } from '../forms/model/form.entity.js';
import type { Column } from './columns.js';
import { csv, type Separator } from './csv.js';
import type { Export } from './export.service.js';
import { ndjson } from './ndjson.js';
import { xlsx } from './xlsx.js';

const NAME_MAX_LENGTH = 100;

/** The formats of an export, each with its media type. */
export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

export type ExportFormat = keyof typeof EXPORT_TYPES;
export const EXPORT_FORMATS = Object.keys(EXPORT_TYPES) as ExportFormat[];

/** How an export is written. */
export interface ExportLayout {
  format: ExportFormat;
  /** Null: all. */
  columns: readonly Column[] | null;
  /** Separator of CSV. */
  separator: Separator;
}

/** Returns an export as a file that is written piece by piece. */
export async function exportFile(
  source: Export,
  { format, columns, separator }: ExportLayout,
  baseUrl: string,
) {
  const content = {
    csv: () => csv(source, columns, separator),
    ndjson: () => ndjson(source, columns, baseUrl),
    xlsx: () => xlsx(source, columns),
  };
  return {
    ...exportNaming(source.form, format, new Date()),
    content: await content[format](),
  };
}

/** Returns the type of a file, and its name: the form and the day. */
export function exportNaming({ name }: Pick<Form, 'name'>, format: ExportFormat, day: Date) {
  const plain = name.replace(/[/\\]/g, '-').slice(0, NAME_MAX_LENGTH);
  const date = day.toISOString().slice(0, 10);
  return { type: EXPORT_TYPES[format], name: `${plain} ${date}.${format}` };
}
