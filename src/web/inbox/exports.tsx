import { words } from '../words.js';

const FORMATS = ['csv', 'xlsx', 'ndjson'] as const;

/**
 * Draws links to files of what a filter means in one form.
 * @param props.line the filter; it may name that form, and no other
 */
export function Exports({ identifier, line }: { identifier: string; line: string }) {
  const query = new URLSearchParams({ q: line }).toString();
  return (
    <p class="exports hint">
      {words.inbox.exports}{' '}
      {FORMATS.map((format) => (
        <a href={`/forms/${identifier}/submissions.${format}?${query}`} download>
          {words.inbox.exportFormats[format]}
        </a>
      ))}
    </p>
  );
}
