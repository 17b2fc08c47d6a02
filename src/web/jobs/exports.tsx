import { useContext } from 'preact/hooks';
import type { ExportFormat } from '../../exports/export-file.js';
import { TimeZone } from '../parts/time.js';
import { exportWords } from './words.js';

/** Formats in the order in which they are offered. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const satisfies ExportFormat[];

/** Returns where a file of what a form has is loaded. */
export function fileAddress(identifier: string, format: ExportFormat): string {
  return `/forms/${identifier}/submissions.${format}`;
}

/**
 * Returns where a file of what a filter means is loaded, with the times of a zone.
 * @param line the filter; it may name that form, and no other
 */
export function filteredFile(
  identifier: string,
  format: ExportFormat,
  line: string,
  zone: string,
): string {
  const query = new URLSearchParams({ q: line, ...(zone !== 'UTC' && { zone }) });
  return `${fileAddress(identifier, format)}?${query.toString()}`;
}

/**
 * Draws links to files of what a filter means in one form, with the times of the person's zone, and to the choice of columns.
 * @param props.line the filter; it may name that form, and no other
 */
export function Exports({ identifier, line }: { identifier: string; line: string }) {
  const zone = useContext(TimeZone);
  const query = new URLSearchParams({ q: line }).toString();
  return (
    <p class="exports hint">
      {exportWords.exports}{' '}
      {EXPORT_FORMATS.map((format) => (
        <a href={filteredFile(identifier, format, line, zone)} download>
          {exportWords.formats[format]}
        </a>
      ))}
      <a href={`/forms/${identifier}/submissions/export?${query}`}>{exportWords.choose}</a>
    </p>
  );
}
