import type { ImportPreview } from '../../moving/imports/import-preview.js';
import type { Import } from '../../moving/imports/model/import.entity.js';
import { formatUuid, cutAt, byteSize } from '../../platform/index.js';
import type { ImportedSubmission } from '../../submissions/storage/imported-submissions.service.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import {
  ActionButton,
  ActionForm,
  Check,
  Select,
  LinkButton,
  Notice,
  State,
  Time,
  LiveRegion,
  Table,
  Section,
  Confirm,
} from '../parts/index.js';
import { counted, ImportState, importWords, number, RowProblems, TEXT_MAX, titleOf } from './imports.page.js';
import type { ImportOptions } from '../../moving/imports/model/import-options.js';
import { inboxOf } from '../addresses/folders.js';
import { jobWords } from '../jobs/words.js';

/** Most columns that a page lets choose: each has three fields, and a form of a page a thousand at most. */
const CHOSEN_MAX = 300;

/** Choices, each with its words. */
const USES = { field: 'Field', time: 'Time', none: 'Leave out' } as const;
const ORDERS = { day_first: 'Day first (3 April)', month_first: 'Month first (March 4)' } as const;
const UNDATED = { refuse: 'Cannot be imported', now: 'Get the time of the import' } as const;
const optionsOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

/** Encodings that pages offer; the API takes any. */
const ENCODINGS = [
  ...['utf-8', 'utf-16le', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253'],
  ...['windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258'],
  ...['windows-874', 'iso-8859-2', 'koi8-r', 'koi8-u', 'ibm866', 'macintosh'],
  ...['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'],
];

/** Draws the choice of how a file is read: its encoding, its columns, its times, and files. */
function Reading(props: { preview: ImportPreview; options: ImportOptions }) {
  const { preview, options } = props;
  const { columns, reader } = preview;
  const known = options.encoding === null ? [] : [options.encoding];
  const encodings = [...new Set([...known, ...ENCODINGS])];
  return (
    <>
      <Select
        name="encoding"
        label="Encoding"
        value={options.encoding ?? ''}
        options={[
          { value: '', label: `Automatic (${reader.encoding})` },
          ...encodings.map((value) => ({ value, label: value })),
        ]}
      />
      {columns.length > CHOSEN_MAX && (
        <p class="hint">
          The file has more than {CHOSEN_MAX} columns. Use the API to rename columns or to leave some out.
        </p>
      )}
      {columns.length > 0 && columns.length <= CHOSEN_MAX && <Columns columns={columns} />}
      <Select
        name="dates"
        label="Dates such as 3/4/2023"
        value={options.dates ?? ''}
        options={[{ value: '', label: 'As other rows prove' }, ...optionsOf(ORDERS)]}
      />
      <Select name="undated" label="Rows without a time" value={options.undated} options={optionsOf(UNDATED)} />
      {columns.length > 0 && (
        <Check
          name="unprefix"
          label="Remove the apostrophe before formulas"
          hint="Some exports write '=1+1 so that spreadsheets do not run it."
          checked={options.unprefix}
        />
      )}
      <Check
        name="files"
        label="Fetch uploaded files"
        hint="Values that are addresses of files are replaced by these files. Addresses that lead to no file stay as text."
        checked={options.files === 'fetch'}
      />
    </>
  );
}

function Columns({ columns }: Pick<ImportPreview, 'columns'>) {
  return (
    <>
      <p class="hint">
        Choose the column with the time, leave out what you do not need, and rename columns to the field names of this
        form.
      </p>
      <Table isBare class="labels uses" head={['Column', 'Use as', 'Field name']}>
        {columns.map((column) => (
          <tr>
            <th scope="row">
              <code dir="auto">{cutAt(column.name, TEXT_MAX)}</code>
              {column.samples.map((sample) => (
                <div class="hint" dir="auto">
                  {sample}
                </div>
              ))}
              <input type="hidden" name="column" value={column.name} />
            </th>
            {column.use === 'known' ? (
              <td class="quiet" colspan={2}>
                Read as part of the submission itself
                <input type="hidden" name="use" value="known" />
                <input type="hidden" name="name" value="" />
              </td>
            ) : (
              <Choice column={column} />
            )}
          </tr>
        ))}
      </Table>
    </>
  );
}

function Choice({ column }: { column: ImportPreview['columns'][number] }) {
  const { name, use, field } = column;
  return (
    <>
      <td class="field">
        <select name="use" aria-label={`Use of the column ${name}`}>
          {optionsOf(USES).map(({ value, label }) => (
            <option value={value} selected={value === use}>
              {label}
            </option>
          ))}
        </select>
      </td>
      <td class="field">
        <input
          name="name"
          type="text"
          value={field ?? name}
          aria-label={`Field name for the column ${name}`}
          dir="auto"
        />
      </td>
    </>
  );
}

/** Most values of a submission that are shown. */
const VALUES_MAX = 12;

interface ImportDraftPageProps {
  form: FormShown;
  entry: Import;
  preview: ImportPreview;
  /** Days that the form keeps submissions; null for ever. */
  retentionDays: number | null;
}

/** Draws what an import would do: counts, the first submissions, what is broken, and how the file is read. */
export function ImportDraftPage(props: ImportDraftPageProps) {
  const { form, entry, preview, retentionDays } = props;
  const { imported, skipped, broken, spam, expired, total, isWhole, problem } = preview;
  const path = `/forms/${form.identifier}/import/${formatUuid(entry.id)}`;
  return (
    <FormShell form={form} title={importWords.title} tab="setup">
      <section>
        <h2 dir="auto">{entry.fileName ?? importWords.unnamed}</h2>
        <p>
          {counted(imported, 'submission is ready to import.', 'submissions are ready to import.')}
          {spam > 0 && ` ${counted(spam, 'of them is spam.', 'of them are spam.')}`}
          {skipped > 0 && ` ${importWords.skipped(skipped)}`}
          {broken > 0 && ` ${importWords.broken(broken)}`}
        </p>
        {!isWhole && !problem && (
          <p class="hint">We looked at the first {number(total)} rows. The import goes through all of them.</p>
        )}
        {problem && (
          <Notice kind="bad">
            <p>{problem.message}</p>
          </Notice>
        )}
        {preview.notes.map(({ message, isQuestion }) => (
          <Notice kind={isQuestion ? 'warn' : 'good'}>
            <p dir="auto">{message}</p>
          </Notice>
        ))}
        {expired > 0 && retentionDays !== null && (
          <Notice kind="warn">
            <p>
              {counted(expired, 'submission is', 'submissions are')} older than the {number(retentionDays)} days that
              this form keeps submissions. We would delete them within the hour.{' '}
              <a href={`/forms/${form.identifier}/settings#keep`}>Change retention</a>
            </p>
          </Notice>
        )}
        <div class="buttons">
          {imported > 0 && (
            <ActionButton action={`${path}/start`}>
              {isWhole ? `Import ${number(imported)}` : 'Import all'}
            </ActionButton>
          )}
          {form.mayErase && (
            <ActionButton action={`${path}/undo`} kind="plain">
              Cancel
            </ActionButton>
          )}
        </div>
      </section>
      <First rows={preview.first} />
      <RowProblems title={importWords.brokenTitle} rows={preview.brokenRows} all={broken} />
      <Section title="How to read the file">
        <ActionForm action={`${path}/reading`} submit="Update preview" kind="plain">
          <Reading preview={preview} options={entry.options} />
        </ActionForm>
      </Section>
    </FormShell>
  );
}

function First({ rows }: { rows: readonly ImportedSubmission[] }) {
  if (rows.length === 0) return null;
  return (
    <Section title="First submissions">
      <Table caption="First submissions" head={['Submitted', 'Values']}>
        {rows.map(({ createdAt, spam, values }) => (
          <tr>
            <th scope="row">
              <Time at={createdAt} /> {spam && <State kind="bad">Spam</State>}
            </th>
            <td data-label="Values">
              {values
                .toText()
                .slice(0, VALUES_MAX)
                .map(({ name, text: value }) => (
                  <div dir="auto">
                    <span class="hint">{cutAt(name, TEXT_MAX)}:</span> {cutAt(value, TEXT_MAX)}
                  </div>
                ))}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** How often the page asks how far the import is, in seconds. */
const ASKED_EVERY_S = 2;

export interface ImportPageProps {
  form: FormShown;
  entry: Import;
}

/** Draws how far an import is, and what it did; by script it follows, without one by loading it again. */
export function ImportPage({ form, entry }: ImportPageProps) {
  const { isOpen, state, progress, imported, skipped, broken, filesMissing } = entry;
  const { errorMessage, endedAt } = entry;
  const path = `/forms/${form.identifier}/import/${formatUuid(entry.id)}`;
  return (
    <FormShell form={form} title={importWords.title} tab="setup">
      <LiveRegion id="import" href={path} seconds={ASKED_EVERY_S} live={isOpen}>
        <h2 dir="auto">{entry.fileName ?? importWords.unnamed}</h2>
        <div class="panel">
          <div class="body job">
            <ImportState state={state} />
            {(state === 'waiting' || state === 'running') && (
              <>
                <progress aria-label="Progress" max={1} value={progress} />
                <p class="hint">{Math.floor(progress * 100)}% of the file read</p>
              </>
            )}
            <p>{counted(imported, 'submission imported', 'submissions imported')}</p>
            {skipped > 0 && <p class="hint">{importWords.skipped(skipped)}</p>}
            {broken > 0 && <p class="hint">{importWords.broken(broken)}</p>}
            {filesMissing > 0 && (
              <p class="hint">{counted(filesMissing, 'file could not be fetched.', 'files could not be fetched.')}</p>
            )}
            {errorMessage !== null && (
              <Notice kind="bad">
                <p>{errorMessage}</p>
              </Notice>
            )}
            <dl class="facts">
              <Fact label={importWords.provider}>{titleOf(entry.provider)}</Fact>
              <Fact label="Size">{byteSize(entry.fileBytes)}</Fact>
              <Fact label="By">{entry.actorName}</Fact>
              <Fact label={importWords.begun}>
                <Time at={entry.createdAt} />
              </Fact>
              {endedAt && (
                <Fact label={jobWords.ended}>
                  <Time at={endedAt} />
                </Fact>
              )}
            </dl>
            {isOpen && <p class="hint">The import runs in the background, even if you close this page.</p>}
            <div class="buttons">
              {isOpen ? (
                <LinkButton href={path}>Refresh</LinkButton>
              ) : (
                <LinkButton href={inboxOf(form.identifier)} kind="primary">
                  Open the inbox
                </LinkButton>
              )}
            </div>
          </div>
        </div>
        <RowProblems title={importWords.brokenTitle} rows={entry.brokenRows} all={broken} />
        <RowProblems title="Files that could not be fetched" rows={entry.missingFiles} all={filesMissing} />
      </LiveRegion>
      {form.mayErase && entry.mayBeUndone && (
        <Confirm
          action={`${path}/undo`}
          label="Undo this import"
          question={`Delete the ${counted(imported, 'submission', 'submissions')} of this import permanently? All others stay.`}
          go="Delete them"
          icon="trash-2"
        />
      )}
    </FormShell>
  );
}

function Fact({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt class="hint">{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}
