import type { Form } from '../forms/model/form.entity.js';
import { dayAt, isoAt } from '../platform/kernel/time/days.js';
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
  /** The time zone of its times, by its IANA name; UTC without one. */
  zone?: string | undefined;
}

/** Returns an export as a file that is written piece by piece. */
export async function exportFile(source: Export, layout: ExportLayout, baseUrl: string) {
  const { format, columns, separator, zone = 'UTC' } = layout;
  const zoned = inZone(source, zone);
  const content = {
    csv: () => csv(zoned, columns, separator),
    ndjson: () => ndjson(zoned, columns, baseUrl),
    xlsx: () => xlsx(zoned, columns, zone),
  };
  return {
    ...exportNaming(source.form, layout, new Date()),
    content: await content[format](),
  };
}

/** Returns an export whose times are those of clocks in a zone, with their offset from UTC. */
function inZone(source: Export, zone: string): Export {
  if (zone === 'UTC') return source;
  async function* rows() {
    for await (const some of source.rows()) {
      yield some.map((shown) => {
        const { createdAt } = shown.submission;
        const toISOString = () => isoAt(new Date(createdAt.toISOString()), zone);
        return { ...shown, submission: { ...shown.submission, createdAt: { toISOString } } };
      });
    }
  }
  return { ...source, rows };
}

/** Returns the type of a file, and its name: the form and the day. */
export function exportNaming(
  { name }: Pick<Form, 'name'>,
  { format, zone = 'UTC' }: Pick<ExportLayout, 'format' | 'zone'>,
  time: Date,
) {
  const plain = name.replace(/[/\\]/g, '-').slice(0, NAME_MAX_LENGTH);
  return { type: EXPORT_TYPES[format], name: `${plain} ${dayAt(time, zone)}.${format}` };
}
