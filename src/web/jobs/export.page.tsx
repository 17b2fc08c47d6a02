import { columnNameOf, FIXED_COLUMNS, FURTHER_COLUMNS } from '../../exports/columns.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { Actions, Button, Check, LinkButton, Select } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { EXPORT_FORMATS, fileAddress } from './exports.js';
import { inboxAddress, inboxOf } from '../addresses/folders.js';

interface ExportPageProps {
  frame: Frame;
  form: { name: string; identifier: string; visitorMail: string | null };
  /** The filter. */
  line: string;
  /** Fields that were sent lately, each with its label. */
  fields: { name: string; label: string }[];
  /** The time zone of who looks. */
  timeZone: string;
}

/** Draws the choice of what an export has; each button gives a file. */
export function ExportPage({ frame, form, line, fields, timeZone }: ExportPageProps) {
  const { identifier, name, visitorMail } = form;
  const isAsking = decodeVisitorMail(visitorMail).doubleOptIn;
  const { exporting, exportFormats } = words.inbox;
  const back = line === '' ? inboxOf(identifier) : inboxAddress(line);
  return (
    <Shell title={`${exporting.title} · ${name}`} frame={frame} section="inbox">
      <PageHead title={exporting.title} up={{ href: back, label: name }} />
      <form method="get" action={fileAddress(identifier, 'csv')} accept-charset="UTF-8">
        <input type="hidden" name="q" value={line} />
        <p>
          {exporting.what} {line === '' ? exporting.everything : <code dir="auto">{line}</code>}
        </p>
        <fieldset>
          <legend>{exporting.columns}</legend>
          <p class="hint">{exporting.columnsHint}</p>
          <div class="checks">
            {[...FIXED_COLUMNS, ...(isAsking ? FURTHER_COLUMNS : [])].map((column) => (
              <Check name="columns" value={column} label={exporting.fixed[column]} />
            ))}
            {fields.map((field) => (
              <Check name="columns" value={columnNameOf(field.name)} label={field.label} />
            ))}
          </div>
        </fieldset>
        <Select
          name="zone"
          label={exporting.zone}
          value={timeZone}
          options={[...new Set([timeZone, 'UTC'])].map((value) => ({ value, label: value }))}
        />
        <Actions>
          {EXPORT_FORMATS.map((format) => (
            <Button
              action={fileAddress(identifier, format)}
              kind={format === 'csv' ? 'primary' : 'plain'}
            >
              {exporting.download(exportFormats[format])}
            </Button>
          ))}
          <LinkButton href={back}>{words.cancel}</LinkButton>
        </Actions>
        <fieldset>
          <legend>{exporting.large}</legend>
          <p class="hint">{exporting.largeHint}</p>
          <Select
            name="format"
            label={exporting.format}
            value="csv"
            options={EXPORT_FORMATS.map((value) => ({ value, label: exportFormats[value] }))}
          />
          <Actions>
            <button
              type="submit"
              class="button plain"
              formmethod="post"
              formaction={`/forms/${identifier}/submissions/export`}
            >
              <span>{exporting.background}</span>
            </button>
          </Actions>
        </fieldset>
      </form>
    </Shell>
  );
}
