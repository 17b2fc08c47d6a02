import { useContext } from 'preact/hooks';
import type { ExportFormat } from '../../exports/export-file.js';
import { TimeZone } from '../parts/time.js';
import { exportWords } from './words.js';
import { columnNameOf, FIXED_COLUMNS, FURTHER_COLUMNS } from '../../exports/columns.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { Actions, Button, Check, LinkButton, Select } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { partWords } from '../parts/words.js';
import { inboxAddress, inboxOf } from '../addresses/folders.js';

/** Formats in the order in which they are offered. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const satisfies ExportFormat[];

/** Returns where a file of what a form has is loaded. */
function fileAddress(identifier: string, format: ExportFormat): string {
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

interface ExportPageProps {
  form: { name: string; identifier: string; visitorMail: string | null };
  /** The filter. */
  line: string;
  /** Fields that were sent lately, each with its label. */
  fields: { name: string; label: string }[];
  /** The time zone of who looks. */
  timeZone: string;
}

/** Draws the choice of what an export has; each button gives a file. */
export function ExportPage({ form, line, fields, timeZone }: ExportPageProps) {
  const { identifier, name, visitorMail } = form;
  const isAsking = decodeVisitorMail(visitorMail).doubleOptIn;
  const back = line === '' ? inboxOf(identifier) : inboxAddress(line);
  return (
    <Shell title={`${exportWords.title} · ${name}`} section="inbox">
      <PageHead title={exportWords.title} up={{ href: back, label: name }} />
      <form method="get" action={fileAddress(identifier, 'csv')} accept-charset="UTF-8">
        <input type="hidden" name="q" value={line} />
        <p>
          {exportWords.what} {line === '' ? exportWords.everything : <code dir="auto">{line}</code>}
        </p>
        <fieldset>
          <legend>{exportWords.columns}</legend>
          <p class="hint">{exportWords.columnsHint}</p>
          <div class="checks">
            {[...FIXED_COLUMNS, ...(isAsking ? FURTHER_COLUMNS : [])].map((column) => (
              <Check name="columns" value={column} label={exportWords.fixed[column]} />
            ))}
            {fields.map((field) => (
              <Check name="columns" value={columnNameOf(field.name)} label={field.label} />
            ))}
          </div>
        </fieldset>
        <Select
          name="zone"
          label={exportWords.zone}
          value={timeZone}
          options={[...new Set([timeZone, 'UTC'])].map((value) => ({ value, label: value }))}
        />
        <Actions>
          {EXPORT_FORMATS.map((format) => (
            <Button
              action={fileAddress(identifier, format)}
              kind={format === 'csv' ? 'primary' : 'plain'}
            >
              {exportWords.download(exportWords.formats[format])}
            </Button>
          ))}
          <LinkButton href={back}>{partWords.cancel}</LinkButton>
        </Actions>
        <fieldset>
          <legend>{exportWords.large}</legend>
          <p class="hint">{exportWords.largeHint}</p>
          <Select
            name="format"
            label={exportWords.format}
            value="csv"
            options={EXPORT_FORMATS.map((value) => ({ value, label: exportWords.formats[value] }))}
          />
          <Actions>
            <button
              type="submit"
              class="button plain"
              formmethod="post"
              formaction={`/forms/${identifier}/submissions/export`}
            >
              <span>{exportWords.background}</span>
            </button>
          </Actions>
        </fieldset>
      </form>
    </Shell>
  );
}
