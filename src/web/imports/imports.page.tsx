import type {
  ImportState as StateName,
  Import,
  RowProblem,
} from '../../imports/model/import.entity.js';
import { State, Time, Table } from '../parts/content.js';
import { PROVIDERS, type ProviderName } from '../../imports/formats/index.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { ActionForm, Field, Select } from '../parts/controls.js';

const number = (count: number) => count.toLocaleString('en');
const counted = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${number(count)} ${more}`;

/** Words of the pages that import submissions of other services. */
export const importWords = {
  title: 'Import',
  hint: 'Bring in the submissions that another service received. They keep their original times and spam marks. Nobody gets an email or a webhook call for them.',
  provider: 'Exported from',
  file: 'File',
  fileHint:
    'The file as you downloaded it: JSON or CSV. Unpack archives first, and save sheets as CSV (UTF-8). You see what is in it before we store anything.',
  look: 'Preview',
  noFile: 'choose a file',
  earlier: 'Earlier imports',
  begun: 'Started',
  state: 'State',
  done: 'Imported',
  show: 'Show',
  unnamed: 'Unnamed file',
  states: {
    draft: 'Not started',
    waiting: 'Waiting',
    running: 'Running',
    finished: 'Finished',
    failed: 'Failed',
    undoing: 'Undoing',
    undone: 'Undone',
  },
  by: 'By',
  size: 'Size',
  ready: (count: number) =>
    counted(count, 'submission is ready to import.', 'submissions are ready to import.'),
  some: (count: number) =>
    `We looked at the first ${number(count)} rows. The import goes through all of them.`,
  skipped: (count: number) =>
    counted(
      count,
      'row is already in this form and is skipped.',
      'rows are already in this form and are skipped.',
    ),
  broken: (count: number) => counted(count, 'row cannot be imported.', 'rows cannot be imported.'),
  spam: (count: number) => counted(count, 'of them is spam.', 'of them are spam.'),
  expired: (count: number, days: number) =>
    `${counted(count, 'submission is', 'submissions are')} older than the ${number(days)} days that this form keeps submissions. We would delete them within the hour.`,
  toRetention: 'Change retention',
  first: 'First submissions',
  time: 'Submitted',
  values: 'Values',
  isSpam: 'Spam',
  brokenTitle: 'Rows that cannot be imported',
  missing: (count: number) =>
    counted(count, 'file could not be fetched.', 'files could not be fetched.'),
  missingTitle: 'Files that could not be fetched',
  line: 'Line',
  reason: 'Reason',
  more: (count: number) => `… and ${number(count)} more`,
  reading: 'How to read the file',
  columnsHint:
    'Choose the column with the time, leave out what you do not need, and rename columns to the field names of this form.',
  column: 'Column',
  known: 'Read as part of the submission itself',
  encoding: 'Encoding',
  anyEncoding: (name: string) => `Automatic (${name})`,
  dates: 'Dates such as 3/4/2023',
  anyOrder: 'As other rows prove',
  orders: { day_first: 'Day first (3 April)', month_first: 'Month first (March 4)' },
  use: 'Use as',
  name: 'Field name',
  useOf: (column: string) => `Use of the column ${column}`,
  nameOf: (column: string) => `Field name for the column ${column}`,
  uses: { field: 'Field', time: 'Time', none: 'Leave out' },
  tooMany: (max: number) =>
    `The file has more than ${max} columns. Use the API to rename columns or to leave some out.`,
  undated: 'Rows without a time',
  undatedNames: { refuse: 'Cannot be imported', now: 'Get the time of the import' },
  unprefix: 'Remove the apostrophe before formulas',
  unprefixHint: "Some exports write '=1+1 so that spreadsheets do not run it.",
  files: 'Fetch uploaded files',
  filesHint:
    'Values that are addresses of files are replaced by these files. Addresses that lead to no file stay as text.',
  apply: 'Update preview',
  go: (count: number) => `Import ${number(count)}`,
  goAll: 'Import all',
  cancel: 'Cancel',
  progress: 'Progress',
  percent: (share: number) => `${Math.floor(share * 100)}% of the file read`,
  running: 'The import runs in the background, even if you close this page.',
  result: (imported: number) => counted(imported, 'submission imported', 'submissions imported'),
  undo: 'Undo this import',
  undoQuestion: (count: number) =>
    `Delete the ${counted(count, 'submission', 'submissions')} of this import permanently? All others stay.`,
  undoGo: 'Delete them',
  toInbox: 'Open the inbox',
  refresh: 'Refresh',
  from: 'Import from another service',
} as const;

/** Longest text that is shown, in characters. */
const TEXT_MAX = 120;
/** Rows that a page names. */
const NAMED_MAX = 20;

const KINDS = {
  draft: 'quiet',
  waiting: 'quiet',
  running: 'quiet',
  finished: 'good',
  failed: 'bad',
  undoing: 'quiet',
  undone: 'warn',
} as const;

/** Draws how far an import is. */
export function ImportState({ state }: { state: StateName }) {
  return <State kind={KINDS[state]}>{importWords.states[state]}</State>;
}

export interface RowProblemsProps {
  title: string;
  /** The first ones. */
  rows: readonly RowProblem[];
  /** How many there are. */
  all: number;
}

/** Draws what is wrong with rows, with their lines. */
export function RowProblems({ title, rows, all }: RowProblemsProps) {
  const text = importWords;
  if (all === 0) return null;
  const named = rows.slice(0, NAMED_MAX);
  return (
    <section>
      <h2>{title}</h2>
      <div class="panel">
        <Table caption={title} head={[text.line, text.reason]}>
          {named.map(({ line, reason }) => (
            <tr>
              <th scope="row">
                {text.line} {line.toLocaleString('en')}
              </th>
              <td dir="auto" data-label={text.reason}>
                {reason}
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {all > named.length && <p class="hint">{text.more(all - named.length)}</p>}
    </section>
  );
}

/** Returns as much of a name or a value as is shown. */
export function shortened(text: string): string {
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX).toWellFormed()}…` : text;
}

export interface ImportsPageProps {
  form: FormShown;
  /** Newest first. */
  imports: readonly Import[];
  /** Name of the chosen provider. */
  provider: string;
  problems: FieldProblem[];
}

/** Draws the choice of a file of another service, and the imports of a form. */
export function ImportsPage({ form, imports, provider, problems }: ImportsPageProps) {
  const text = importWords;
  const providers = Object.entries(PROVIDERS).map(([value, { title }]) => ({
    value,
    label: title,
  }));
  return (
    <FormShell form={form} title={text.title} tab="setup">
      <section>
        <h2>{text.title}</h2>
        <p>{text.hint}</p>
        <ActionForm
          action={`/forms/${form.identifier}/import`}
          problems={problems}
          upload
          submit={text.look}
        >
          <Select name="provider" label={text.provider} value={provider} options={providers} />
          <Field
            name="file"
            label={text.file}
            hint={text.fileHint}
            type="file"
            accept=".json,.csv,.ndjson,.jsonl,.txt,application/json,text/csv"
            problems={problems}
            required
          />
        </ActionForm>
      </section>
      {imports.length > 0 && <Earlier identifier={form.identifier} imports={imports} />}
    </FormShell>
  );
}

function Earlier({ identifier, imports }: { identifier: string; imports: readonly Import[] }) {
  const text = importWords;
  return (
    <section>
      <h2>{text.earlier}</h2>
      <div class="panel">
        <Table
          caption={text.earlier}
          head={[text.file, text.provider, text.begun, text.state, text.done]}
        >
          {imports.map((each) => (
            <tr>
              <th scope="row">
                <a href={`/forms/${identifier}/import/${formatUuid(each.id)}`} dir="auto">
                  {each.fileName ?? text.unnamed}
                </a>
              </th>
              <td class="quiet" data-label={text.provider}>
                {titleOf(each.provider)}
              </td>
              <td class="quiet" data-label={text.begun}>
                <Time at={each.createdAt} />
              </td>
              <td data-label={text.state}>
                <ImportState state={each.state} />
              </td>
              <td class="quiet" data-label={text.done}>
                {each.imported.toLocaleString('en')}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </section>
  );
}

/** Returns the name of a provider for people; a version that knew another may have stored it. */
export function titleOf(provider: string): string {
  return Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider as ProviderName].title : provider;
}
