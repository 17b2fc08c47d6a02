import type { BulkJob } from '../../jobs/queue/bulk-job.entity.js';
import { formatUuid, byteSize } from '../../platform/index.js';
import { useContext } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { columnNameOf, FIXED_COLUMNS, FURTHER_COLUMNS } from '../../jobs/exports/export-table.js';
import type { ExportFormat } from '../../jobs/exports/export-file.js';
import {
  TimeZone,
  PageHead,
  partWords,
  LiveRegion,
  Notice,
  State,
  Time,
  Facts,
  ActionButton,
  Actions,
  Button,
  Check,
  LinkButton,
  Select,
  ActionForm,
} from '../parts/index.js';
import { exportWords, jobWords } from './words.js';
import { decodeVisitorMail } from '../../forms/model/visitor-mail.js';
import { Page, Shell } from '../layout/shell.js';
import { inboxAddress, inboxOf } from '../addresses/folders.js';
import { layoutWords } from '../layout/words.js';
import type { ExportFileFacts } from '../../jobs/queue/export-files.service.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { rowWords } from '../rows/submission-table.js';

/** Formats in the order in which they are offered. */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'ndjson'] as const satisfies ExportFormat[];

/** Returns where a file of what a form has is loaded. */
function fileAddress(identifier: string, format: ExportFormat) {
  return `/forms/${identifier}/submissions.${format}`;
}

/**
 * Returns where a file of what a filter means is loaded, with the times of a zone.
 * @param line the filter; it may name that form, and no other
 */
export function filteredFile(identifier: string, format: ExportFormat, line: string, zone: string) {
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
      Export:{' '}
      {EXPORT_FORMATS.map((format) => (
        <a href={filteredFile(identifier, format, line, zone)} download>
          {exportWords.formats[format]}
        </a>
      ))}
      <a href={`/forms/${identifier}/submissions/export?${query}`}>Choose columns</a>
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
        <p>Exports: {line === '' ? 'everything except spam and trash' : <code dir="auto">{line}</code>}</p>
        <fieldset>
          <legend>Columns</legend>
          <p class="hint">
            Leave all unchecked to export every column, including fields that only older submissions have.
          </p>
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
          label="Time zone of the times"
          value={timeZone}
          options={[...new Set([timeZone, 'UTC'])].map((value) => ({ value, label: value }))}
        />
        <Actions>
          {EXPORT_FORMATS.map((format) => (
            <Button action={fileAddress(identifier, format)} kind={format === 'csv' ? 'primary' : 'plain'}>
              Download {exportWords.formats[format]}
            </Button>
          ))}
          <LinkButton href={back}>{partWords.cancel}</LinkButton>
        </Actions>
        <fieldset>
          <legend>In the background</legend>
          <p class="hint">
            For many submissions. We prepare the file while you do something else, and keep it for 24 hours. Interrupted
            downloads resume.
          </p>
          <Select name="format" label="Format" value="csv" options={exportWords.formats} />
          <Actions>
            <button
              type="submit"
              class="button plain"
              formmethod="post"
              formaction={`/forms/${identifier}/submissions/export`}
            >
              <span>Prepare file</span>
            </button>
          </Actions>
        </fieldset>
      </form>
    </Shell>
  );
}

/** How often the page asks how far the job is, in seconds. */
const ASKED_EVERY_S = 2;

interface JobPageProps {
  job: BulkJob;
  /** Name of the person that it assigns to; null for nobody. */
  assignee: string | null;
  /** The form of an export; null when it is deleted, or no longer seen. */
  form: { name: string; identifier: string } | null;
  /** The file of an export, if there is one. */
  file: ExportFileFacts | null;
  mayStop: boolean;
}

const KINDS = { waiting: 'quiet', running: 'quiet', finished: 'good', stopped: 'warn', failed: 'bad' } as const;

/** Draws how far a job is; by script it follows, without one by loading it again. */
export function JobPage({ job, assignee, form, file, mayStop }: JobPageProps) {
  const { line, isOpen, errorMessage, endedAt } = job;
  const id = formatUuid(job.id);
  const title = job.export ? 'Export' : 'Bulk change';
  const up = form
    ? { href: line === '' ? inboxOf(form.identifier) : inboxAddress(line), label: form.name }
    : { href: inboxAddress(line), label: layoutWords.nav.inbox };
  return (
    <Page title={title} section="inbox" up={up}>
      <LiveRegion id="job" href={`/jobs/${id}`} seconds={ASKED_EVERY_S} live={isOpen}>
        <div class="panel">
          <div class="body job">
            <Progress job={job} />
            {errorMessage !== null && (
              <Notice kind="bad">
                <p>{errorMessage}</p>
              </Notice>
            )}
            {job.export && job.state === 'finished' && <ExportFile id={id} file={file} />}
            <JobFacts
              {...{ line, assignee, changes: job.changes }}
              format={job.export && exportWords.formats[job.export.layout.format]}
              more={[
                ...(form ? [[rowWords.form, form.name] as const] : []),
                ['By', job.actorName],
                ['Started', <Time at={job.createdAt} />],
                ...(endedAt ? [[jobWords.ended, <Time at={endedAt} />] as const] : []),
              ]}
            />
            {isOpen && (
              <p class="hint">
                {job.export
                  ? 'We create the file in the background. You can leave this page: we email you when it is ready. A restart of the service starts the export again.'
                  : jobWords.hint}
              </p>
            )}
            {isOpen && (
              <div class="buttons">
                {mayStop && (
                  <ActionButton action={`/jobs/${id}/stop`} kind="danger">
                    Stop
                  </ActionButton>
                )}
                <LinkButton href={`/jobs/${id}`}>Refresh</LinkButton>
              </div>
            )}
          </div>
        </div>
      </LiveRegion>
    </Page>
  );
}

/** Draws the link to the file of an export. */
function ExportFile({ id, file }: { id: string; file: ExportFileFacts | null }) {
  if (!file) return <p class="hint">The file is gone. It expired, or someone erased submissions in it.</p>;
  return (
    <>
      {file.link !== null && (
        <p>
          <LinkButton href={`/jobs/${id}/file`} kind="primary" icon="download">
            Download ({byteSize(file.size)})
          </LinkButton>
        </p>
      )}
      <p class="hint">
        Available until <Time at={file.expiresAt} />
      </p>
    </>
  );
}

function Progress({ job }: { job: BulkJob }) {
  const { state, done, total, changed, isOpen, export: exported } = job;
  // Without a value the bar says only that something is going on.
  const bar = total === null ? {} : { max: Math.max(total, 1), value: Math.min(done, total) };
  return (
    <>
      <State kind={KINDS[state]}>{jobWords.states[state]}</State>
      {isOpen && <progress aria-label="Progress" {...bar} />}
      <p>{jobWords.passed(done, total)}</p>
      {exported === null && <p class="hint">{jobWords.changed(changed)}</p>}
    </>
  );
}

interface NewJobPageProps {
  line: string;
  changes: BulkChanges;
  /** Name of the person that it assigns to; null for nobody. */
  assignee: string | null;
  /** The fields that send the changes. */
  fields: [name: string, value: string][];
  /** How many match, or when it is not exact, at least. */
  total: { count: number; isExact: boolean };
}

/** Draws the question before all submissions that match are changed. */
export function NewJobPage({ line, changes, assignee, fields, total }: NewJobPageProps) {
  const back = inboxAddress(line);
  const isNothing = total.isExact && total.count === 0;
  return (
    <Page title="Bulk change" section="inbox" up={{ href: back, label: layoutWords.nav.inbox }}>
      <div class="panel">
        <div class="body job">
          <JobFacts
            line={line}
            changes={changes}
            assignee={assignee}
            more={[['Results now', jobWords.counted(total.count, total.isExact)]]}
          />
          <p class="hint">{isNothing ? 'Nothing matches this filter.' : jobWords.hint}</p>
          <ActionForm action="/jobs">
            <input type="hidden" name="q" value={line} />
            {fields.map(([name, value]) => (
              <input type="hidden" name={name} value={value} />
            ))}
            <Actions>
              {!isNothing && <Button>{jobWords.go(total.isExact ? total.count : null)}</Button>}
              <LinkButton href={back}>{partWords.cancel}</LinkButton>
            </Actions>
          </ActionForm>
        </div>
      </div>
    </Page>
  );
}

/** Draws what a job is about: its filter, what it changes or makes, and more. */
function JobFacts(props: {
  line: string;
  changes: BulkChanges;
  /** Format of an export; null for changes. */
  format?: string | null;
  /** Name of the person that it assigns to; null for nobody. */
  assignee: string | null;
  more: readonly (readonly [label: string, content: ComponentChildren])[];
}) {
  const facts: (readonly [string, ComponentChildren])[] = [
    ['Filter', props.line === '' ? 'Everything except spam and trash' : <code>{props.line}</code>],
    props.format ? ['Format', props.format] : ['Change', textsOf(props.changes, props.assignee).join(', ')],
    ...props.more,
  ];
  return <Facts dir="auto" facts={facts} />;
}

function textsOf(changes: BulkChanges, name: string | null) {
  const { addTag, removeTag, assignee, ...marks } = changes;
  const names = Object.keys(jobWords.changes) as (keyof typeof jobWords.changes)[];
  return [
    ...names
      .filter((name) => marks[name] !== undefined)
      .map((name) => jobWords.changes[name][marks[name] === true ? 1 : 0]),
    ...(addTag === undefined ? [] : [`Add tag “${addTag}”`]),
    ...(removeTag === undefined ? [] : [`Remove tag “${removeTag}”`]),
    ...(assignee === undefined ? [] : [name === null ? 'Remove assignee' : `Assign to ${name}`]),
  ];
}
