import { jsonMembers } from '../platform/kernel/text/json-text.js';
import { submissionJson } from '../submissions/dto/submission-json.js';
import type { Column } from './columns.js';
import type { Export } from './export.service.js';

/**
 * Writes one submission a line, each exactly as the API shows it.
 * @param columns what is kept of it; null: all
 */
export async function* ndjson(
  source: Export,
  columns: readonly Column[] | null,
  baseUrl: string,
): AsyncGenerator<string> {
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

function object(members: { name: string; json: string }[]): string {
  return `{${members.map(({ name, json }) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
}
