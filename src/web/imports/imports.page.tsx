import type {
  ImportState as StateName,
  Import,
  RowProblem,
} from '../../moving/imports/model/import.entity.js';
import { State, Time, Table } from '../parts/content.js';
import { PROVIDERS, type ProviderName } from '../../moving/imports/formats/index.js';
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
  provider: 'Exported from',
  file: 'File',
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
  first: 'First submissions',
  values: 'Values',
  brokenTitle: 'Rows that cannot be imported',
  missing: (count: number) =>
    counted(count, 'file could not be fetched.', 'files could not be fetched.'),
  line: 'Line',
  reason: 'Reason',
  orders: { day_first: 'Day first (3 April)', month_first: 'Month first (March 4)' },
  uses: { field: 'Field', time: 'Time', none: 'Leave out' },
  undatedNames: { refuse: 'Cannot be imported', now: 'Get the time of the import' },
  go: (count: number) => `Import ${number(count)}`,
  percent: (share: number) => `${Math.floor(share * 100)}% of the file read`,
  result: (imported: number) => counted(imported, 'submission imported', 'submissions imported'),
  undoQuestion: (count: number) =>
    `Delete the ${counted(count, 'submission', 'submissions')} of this import permanently? All others stay.`,
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
  if (all === 0) return null;
  const named = rows.slice(0, NAMED_MAX);
  return (
    <section>
      <h2>{title}</h2>
      <div class="panel">
        <Table caption={title} head={[importWords.line, importWords.reason]}>
          {named.map(({ line, reason }) => (
            <tr>
              <th scope="row">
                {importWords.line} {line.toLocaleString('en')}
              </th>
              <td dir="auto" data-label={importWords.reason}>
                {reason}
              </td>
            </tr>
          ))}
        </Table>
      </div>
      {all > named.length && <p class="hint">… and {number(all - named.length)} more</p>}
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
  const providers = Object.entries(PROVIDERS).map(([value, { title }]) => ({
    value,
    label: title,
  }));
  return (
    <FormShell form={form} title={importWords.title} tab="setup">
      <section>
        <h2>{importWords.title}</h2>
        <p>
          Bring in the submissions that another service received. They keep their original times and
          spam marks. Nobody gets an email or a webhook call for them.
        </p>
        <ActionForm
          action={`/forms/${form.identifier}/import`}
          problems={problems}
          upload
          submit="Preview"
        >
          <Select
            name="provider"
            label={importWords.provider}
            value={provider}
            options={providers}
          />
          <Field
            name="file"
            label={importWords.file}
            hint="The file as you downloaded it: JSON or CSV. Unpack archives first, and save sheets as CSV (UTF-8). You see what is in it before we store anything."
            type="file"
            accept=".json,.csv,.ndjson,.jsonl,.txt,application/json,text/csv"
            required
          />
        </ActionForm>
      </section>
      {imports.length > 0 && <Earlier identifier={form.identifier} imports={imports} />}
    </FormShell>
  );
}

function Earlier({ identifier, imports }: { identifier: string; imports: readonly Import[] }) {
  return (
    <section>
      <h2>{importWords.earlier}</h2>
      <div class="panel">
        <Table
          caption={importWords.earlier}
          head={[
            importWords.file,
            importWords.provider,
            importWords.begun,
            importWords.state,
            importWords.done,
          ]}
        >
          {imports.map((each) => (
            <tr>
              <th scope="row">
                <a href={`/forms/${identifier}/import/${formatUuid(each.id)}`} dir="auto">
                  {each.fileName ?? importWords.unnamed}
                </a>
              </th>
              <td class="quiet" data-label={importWords.provider}>
                {titleOf(each.provider)}
              </td>
              <td class="quiet" data-label={importWords.begun}>
                <Time at={each.createdAt} />
              </td>
              <td data-label={importWords.state}>
                <ImportState state={each.state} />
              </td>
              <td class="quiet" data-label={importWords.done}>
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
