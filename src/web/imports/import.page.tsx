import type { ImportPreview } from '../../imports/import-preview.js';
import type { Import } from '../../imports/model/import.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { ImportedSubmission } from '../../submissions/storage/imported-submissions.service.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { ActionForm, Actions, Button, Check, Select, LinkButton } from '../parts/controls.js';
import { Notice, State, Time, LiveRegion, Table } from '../parts/content.js';
import { importWords, RowProblems, shortened, titleOf, ImportState } from './imports.page.js';
import { DAY_ORDERS, UNDATED, type ImportOptions } from '../../imports/model/import-options.js';
import { CHOSEN_MAX } from './mapping.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { inboxOf } from '../addresses/folders.js';
import { Confirm } from '../parts/typed.js';
import { jobWords } from '../jobs/words.js';

const USES = ['field', 'time', 'none'] as const;
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
  const { columns, reading } = preview;
  const text = importWords;
  const known = options.encoding === null ? [] : [options.encoding];
  const encodings = [...new Set([...known, ...ENCODINGS])];
  const undated = UNDATED.map((value) => ({ value, label: text.undatedNames[value] }));
  return (
    <>
      <Select
        name="encoding"
        label={text.encoding}
        value={options.encoding ?? ''}
        options={[
          { value: '', label: text.anyEncoding(reading.encoding) },
          ...encodings.map((value) => ({ value, label: value })),
        ]}
      />
      {columns.length > CHOSEN_MAX && <p class="hint">{text.tooMany(CHOSEN_MAX)}</p>}
      {columns.length > 0 && columns.length <= CHOSEN_MAX && <Columns columns={columns} />}
      <Select
        name="dates"
        label={text.dates}
        value={options.dates ?? ''}
        options={[
          { value: '', label: text.anyOrder },
          ...DAY_ORDERS.map((value) => ({ value, label: text.orders[value] })),
        ]}
      />
      <Select name="undated" label={text.undated} value={options.undated} options={undated} />
      {columns.length > 0 && (
        <Check
          name="unprefix"
          label={text.unprefix}
          hint={text.unprefixHint}
          checked={options.unprefix}
        />
      )}
      <Check
        name="files"
        label={text.files}
        hint={text.filesHint}
        checked={options.files === 'fetch'}
      />
    </>
  );
}

function Columns({ columns }: Pick<ImportPreview, 'columns'>) {
  const text = importWords;
  return (
    <>
      <p class="hint">{text.columnsHint}</p>
      <Table class="labels uses" head={[text.column, text.use, text.name]}>
        {columns.map((column) => (
          <tr>
            <th scope="row">
              <code dir="auto">{shortened(column.name)}</code>
              {column.samples.map((sample) => (
                <div class="hint" dir="auto">
                  {sample}
                </div>
              ))}
              <input type="hidden" name="column" value={column.name} />
            </th>
            {column.use === 'known' ? <Known /> : <Choice column={column} />}
          </tr>
        ))}
      </Table>
    </>
  );
}

/** Draws that a column is read by itself. */
function Known() {
  return (
    <td class="quiet" colspan={2}>
      {importWords.known}
      <input type="hidden" name="use" value="known" />
      <input type="hidden" name="name" value="" />
    </td>
  );
}

function Choice({ column }: { column: ImportPreview['columns'][number] }) {
  const text = importWords;
  const { name, use, field } = column;
  return (
    <>
      <td class="field">
        <select name="use" aria-label={text.useOf(name)}>
          {USES.map((each) => (
            <option value={each} selected={each === use}>
              {text.uses[each]}
            </option>
          ))}
        </select>
      </td>
      <td class="field">
        <input
          name="name"
          type="text"
          value={field ?? name}
          aria-label={text.nameOf(name)}
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
  const text = importWords;
  const { imported, skipped, broken, spam, expired, total, isWhole, problem } = preview;
  const path = `/forms/${form.identifier}/import/${formatUuid(entry.id)}`;
  return (
    <FormShell form={form} title={text.title} tab="setup">
      <section>
        <h2 dir="auto">{entry.fileName ?? text.unnamed}</h2>
        <p>
          {text.ready(imported)}
          {spam > 0 && ` ${text.spam(spam)}`}
          {skipped > 0 && ` ${text.skipped(skipped)}`}
          {broken > 0 && ` ${text.broken(broken)}`}
        </p>
        {!isWhole && !problem && <p class="hint">{text.some(total)}</p>}
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
              {text.expired(expired, retentionDays)}{' '}
              <a href={`/forms/${form.identifier}/settings#keep`}>{text.toRetention}</a>
            </p>
          </Notice>
        )}
        <div class="buttons">
          {imported > 0 && (
            <ActionForm action={`${path}/start`}>
              <Button>{isWhole ? text.go(imported) : text.goAll}</Button>
            </ActionForm>
          )}
          {form.mayErase && (
            <ActionForm action={`${path}/undo`}>
              <Button kind="plain">{text.cancel}</Button>
            </ActionForm>
          )}
        </div>
      </section>
      <First rows={preview.first} />
      <RowProblems title={text.brokenTitle} rows={preview.brokenRows} all={broken} />
      <section>
        <h2>{text.reading}</h2>
        <ActionForm action={`${path}/reading`}>
          <Reading preview={preview} options={entry.options} />
          <Actions>
            <Button kind="plain">{text.apply}</Button>
          </Actions>
        </ActionForm>
      </section>
    </FormShell>
  );
}

function First({ rows }: { rows: readonly ImportedSubmission[] }) {
  const text = importWords;
  if (rows.length === 0) return null;
  return (
    <section>
      <h2>{text.first}</h2>
      <div class="panel">
        <Table caption={text.first} head={[text.time, text.values]}>
          {rows.map(({ createdAt, spam, values }) => (
            <tr>
              <th scope="row">
                <Time at={createdAt} /> {spam && <State kind="bad">{text.isSpam}</State>}
              </th>
              <td data-label={text.values}>
                {values
                  .toText()
                  .slice(0, VALUES_MAX)
                  .map(({ name, text: value }) => (
                    <div dir="auto">
                      <span class="hint">{shortened(name)}:</span> {shortened(value)}
                    </div>
                  ))}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
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
  const text = importWords;
  const { isOpen, state, progress, imported, skipped, broken, filesMissing } = entry;
  const { errorMessage, endedAt } = entry;
  const path = `/forms/${form.identifier}/import/${formatUuid(entry.id)}`;
  return (
    <FormShell form={form} title={text.title} tab="setup">
      <LiveRegion id="import" href={path} seconds={ASKED_EVERY_S} live={isOpen}>
        <h2 dir="auto">{entry.fileName ?? text.unnamed}</h2>
        <div class="panel">
          <div class="body job">
            <ImportState state={state} />
            {(state === 'waiting' || state === 'running') && (
              <>
                <progress aria-label={text.progress} max={1} value={progress} />
                <p class="hint">{text.percent(progress)}</p>
              </>
            )}
            <p>{text.result(imported)}</p>
            {skipped > 0 && <p class="hint">{text.skipped(skipped)}</p>}
            {broken > 0 && <p class="hint">{text.broken(broken)}</p>}
            {filesMissing > 0 && <p class="hint">{text.missing(filesMissing)}</p>}
            {errorMessage !== null && (
              <Notice kind="bad">
                <p>{errorMessage}</p>
              </Notice>
            )}
            <dl class="facts">
              <Fact label={text.provider}>{titleOf(entry.provider)}</Fact>
              <Fact label={text.size}>{byteSize(entry.fileBytes)}</Fact>
              <Fact label={text.by}>{entry.actorName}</Fact>
              <Fact label={text.begun}>
                <Time at={entry.createdAt} />
              </Fact>
              {endedAt && (
                <Fact label={jobWords.ended}>
                  <Time at={endedAt} />
                </Fact>
              )}
            </dl>
            {isOpen && <p class="hint">{text.running}</p>}
            <div class="buttons">
              {isOpen ? (
                <LinkButton href={path}>{text.refresh}</LinkButton>
              ) : (
                <LinkButton href={inboxOf(form.identifier)} kind="primary">
                  {text.toInbox}
                </LinkButton>
              )}
            </div>
          </div>
        </div>
        <RowProblems title={text.brokenTitle} rows={entry.brokenRows} all={broken} />
        <RowProblems title={text.missingTitle} rows={entry.missingFiles} all={filesMissing} />
      </LiveRegion>
      {form.mayErase && entry.mayBeUndone && (
        <Confirm
          action={`${path}/undo`}
          label={text.undo}
          question={text.undoQuestion(imported)}
          go={text.undoGo}
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
