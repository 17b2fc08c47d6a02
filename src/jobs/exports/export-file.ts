import { type Column, chosenText, completeText, type TableFormat } from './export-table.js';
import type { Export } from './export.service.js';
import { dayAt, isoAt, jsonMembers, BOM, csvCells, csvLine, defuse, LINE_END } from '../../platform/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { submissionJson } from '../../submissions/dto/submission-json.js';
import { xlsx } from './xlsx.js';

/** Separators of cells, by their name in requests. */
export const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t' } as const;

export type Separator = keyof typeof SEPARATORS;

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
  return { ...exportNaming(source.form, layout, new Date()), content: await content[format]() };
}

/** Returns an export with times as clocks in a zone show them, and their offset from UTC. */
function inZone(source: Export, zone: string) {
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

/**
 * Writes one submission a line, each exactly as the API shows it.
 * @param columns what is kept of it; null: all
 */
async function* ndjson(source: Export, columns: readonly Column[] | null, baseUrl: string): AsyncGenerator<string> {
  const keep = columns ? keeper(columns) : (json: string) => json;
  for await (const rows of source.rows()) {
    yield rows.map((row) => `${keep(submissionJson(row, baseUrl))}\n`).join('');
  }
}

/** Returns what keeps the fixed columns of a submission, and in its values the fields, in the order they have. */
function keeper(columns: readonly Column[]): (json: string) => string {
  const fields = new Set(columns.flatMap((column) => ('field' in column ? column.field : [])));
  const fixed = new Set<string>(columns.flatMap((each) => ('fixed' in each ? each.fixed : [])));
  return (json) =>
    object(
      jsonMembers(json).flatMap((member) => {
        if (fixed.has(member.name)) return member;
        if (member.name !== 'values' || fields.size === 0) return [];
        const kept = jsonMembers(member.json).filter(({ name }) => fields.has(name));
        return { name: 'values', json: object(kept) };
      }),
    );
}

function object(members: { name: string; json: string }[]) {
  return `{${members.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}

/**
 * Writes an export as character-separated values (RFC 4180), piece by piece.
 * @param columns null: all
 */
function csv(source: Export, columns: readonly Column[] | null, separator: Separator): AsyncGenerator<string | Buffer> {
  const sign = SEPARATORS[separator];
  const format: TableFormat = {
    name: defuse,
    header: (names) => BOM + csvLine(names, sign),
    row: (cells) =>
      csvCells(
        cells.map(({ text }) => text),
        sign,
      ),
    end: (_, cells, all) => sign.repeat(all - cells) + LINE_END,
  };
  return columns ? chosenText(source, columns, format) : completeText(source, format);
}
