import type { ImportState as StateName, Import, RowProblem } from '../../moving/imports/model/import.entity.js';
import { State, Time, Table, Section, ActionForm, Field, Select } from '../parts/index.js';
import { PROVIDERS, type ProviderName } from '../../moving/imports/formats/index.js';
import { type FieldProblem, formatUuid } from '../../platform/index.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';

/** Returns a count as people write it. */
export const number = (count: number) => count.toLocaleString('en');
/** Returns a count with what is counted. */
export const counted = (count: number, one: string, more: string) =>
  count === 1 ? `1 ${one}` : `${number(count)} ${more}`;

/** Words that several pages about imports have. */
export const importWords = {
  title: 'Import',
  provider: 'Exported from',
  begun: 'Started',
  unnamed: 'Unnamed file',
  skipped: (count: number) =>
    counted(count, 'row is already in this form and is skipped.', 'rows are already in this form and are skipped.'),
  broken: (count: number) => counted(count, 'row cannot be imported.', 'rows cannot be imported.'),
  brokenTitle: 'Rows that cannot be imported',
} as const;

/** Longest name or value that is shown, in characters. */
export const TEXT_MAX = 120;
/** Rows that a page names. */
const NAMED_MAX = 20;

/** States of imports as people read them, and how each is drawn. */
const STATES = {
  draft: ['Not started', 'quiet'],
  waiting: ['Waiting', 'quiet'],
  running: ['Running', 'quiet'],
  finished: ['Finished', 'good'],
  failed: ['Failed', 'bad'],
  undoing: ['Undoing', 'quiet'],
  undone: ['Undone', 'warn'],
} as const;

/** Draws how far an import is. */
export function ImportState({ state }: { state: StateName }) {
  const [words, kind] = STATES[state];
  return <State kind={kind}>{words}</State>;
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
    <Section title={title}>
      <Table caption={title} head={['Line', 'Reason']}>
        {named.map(({ line, reason }) => (
          <tr>
            <th scope="row">Line {number(line)}</th>
            <td dir="auto" data-label="Reason">
              {reason}
            </td>
          </tr>
        ))}
      </Table>
      {all > named.length && <p class="hint">… and {number(all - named.length)} more</p>}
    </Section>
  );
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
  const providers = Object.entries(PROVIDERS).map(([value, { title: label }]) => ({ value, label }));
  return (
    <FormShell form={form} title={importWords.title} tab="setup">
      <Section title={importWords.title}>
        <p>
          Bring in the submissions that another service received. They keep their original times and spam marks. Nobody
          gets an email or a webhook call for them.
        </p>
        <ActionForm action={`/forms/${form.identifier}/import`} problems={problems} upload submit="Preview">
          <Select name="provider" label={importWords.provider} value={provider} options={providers} />
          <Field
            name="file"
            label="File"
            hint="The file as you downloaded it: JSON or CSV. Unpack archives first, and save sheets as CSV (UTF-8). You see what is in it before we store anything."
            type="file"
            accept=".json,.csv,.ndjson,.jsonl,.txt,application/json,text/csv"
            required
          />
        </ActionForm>
      </Section>
      {imports.length > 0 && <Earlier identifier={form.identifier} imports={imports} />}
    </FormShell>
  );
}

function Earlier({ identifier, imports }: { identifier: string; imports: readonly Import[] }) {
  return (
    <Section title="Earlier imports">
      <Table caption="Earlier imports" head={['File', importWords.provider, importWords.begun, 'State', 'Imported']}>
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
            <td data-label="State">
              <ImportState state={each.state} />
            </td>
            <td class="quiet" data-label="Imported">
              {number(each.imported)}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

/** Returns the name of a provider for people; a version that knew another may have stored it. */
export function titleOf(provider: string) {
  return Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider as ProviderName].title : provider;
}
