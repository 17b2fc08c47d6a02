import { layoutWords } from '../layout/words.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import type { ExportFormat } from '../../exports/export-file.js';
import type { ExportFileFacts } from '../../jobs/exports/export-jobs.service.js';
import type { JobState } from '../../jobs/queue/bulk-job.entity.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { ActionForm, Button, LinkButton, Actions } from '../parts/controls.js';
import { LiveRegion, Notice, PageHead, State } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { Time } from '../parts/time.js';
import { exportWords, jobWords } from './words.js';
import { rowWords } from '../rows/words.js';
import { inboxAddress, inboxOf } from '../addresses/folders.js';
import { partWords } from '../parts/words.js';
import type { ComponentChildren } from 'preact';

/** How often the page asks how far the job is, in seconds. */
const ASKED_EVERY_S = 2;

interface JobPageProps {
  id: string;
  line: string;
  changes: BulkChanges;
  /** Name of the person that it assigns to; null for nobody. */
  assignee: string | null;
  /** Its export, and the file if there is one; null when it changes submissions. */
  export: {
    format: ExportFormat;
    /** Null when it is deleted, or no longer seen. */
    form: { name: string; identifier: string } | null;
    file: ExportFileFacts | null;
  } | null;
  state: JobState;
  isOpen: boolean;
  done: number;
  changed: number;
  /** Null when it was not counted. */
  total: number | null;
  author: string;
  createdAt: Date;
  endedAt: Date | null;
  /** Why it ended early; null when it did not. */
  error: string | null;
  mayStop: boolean;
}

const KINDS = {
  waiting: 'quiet',
  running: 'quiet',
  finished: 'good',
  stopped: 'warn',
  failed: 'bad',
} as const;

/** Draws how far a job is; by script it follows, without one by loading it again. */
export function JobPage(props: JobPageProps) {
  const { id, line, isOpen } = props;
  const title = props.export ? jobWords.exportTitle : jobWords.title;
  const form = props.export?.form ?? null;
  const up = form
    ? { href: line === '' ? inboxOf(form.identifier) : inboxAddress(line), label: form.name }
    : { href: inboxAddress(line), label: layoutWords.nav.inbox };
  return (
    <Shell title={title} section="inbox">
      <PageHead title={title} up={up} />
      <LiveRegion id="job" href={`/jobs/${id}`} seconds={ASKED_EVERY_S} live={isOpen}>
        <div class="panel">
          <div class="body job">
            <Progress {...props} />
            {props.error !== null && (
              <Notice kind="bad">
                <p>{props.error}</p>
              </Notice>
            )}
            {props.export && props.state === 'finished' && (
              <ExportFile id={id} file={props.export.file} />
            )}
            <JobFacts
              format={props.export && exportWords.formats[props.export.format]}
              line={line}
              changes={props.changes}
              assignee={props.assignee}
              more={[
                ...(form ? [[rowWords.form, form.name] as [string, string]] : []),
                [jobWords.by, props.author],
                [jobWords.begun, <Time at={props.createdAt} />],
                ...(props.endedAt
                  ? [[jobWords.ended, <Time at={props.endedAt} />] as [string, preact.JSX.Element]]
                  : []),
              ]}
            />
            {isOpen && <p class="hint">{props.export ? jobWords.exportHint : jobWords.hint}</p>}
            {isOpen && (
              <div class="buttons">
                {props.mayStop && (
                  <ActionForm action={`/jobs/${id}/stop`}>
                    <Button kind="danger">{jobWords.stop}</Button>
                  </ActionForm>
                )}
                <LinkButton href={`/jobs/${id}`}>{jobWords.refresh}</LinkButton>
              </div>
            )}
          </div>
        </div>
      </LiveRegion>
    </Shell>
  );
}

/** Draws the link to the file of an export. */
function ExportFile({ id, file }: { id: string; file: ExportFileFacts | null }) {
  if (!file) return <p class="hint">{jobWords.fileGone}</p>;
  return (
    <>
      {file.link !== null && (
        <p>
          <LinkButton href={`/jobs/${id}/file`} kind="primary" icon="download">
            {jobWords.download(byteSize(file.size))}
          </LinkButton>
        </p>
      )}
      <p class="hint">
        {jobWords.fileUntil} <Time at={file.expiresAt} />
      </p>
    </>
  );
}

function Progress({ state, done, total, changed, isOpen, export: exported }: JobPageProps) {
  // Without a value the bar says only that something is going on.
  const bar = total === null ? {} : { max: Math.max(total, 1), value: Math.min(done, total) };
  return (
    <>
      <State kind={KINDS[state]}>{jobWords.states[state]}</State>
      {isOpen && <progress aria-label={jobWords.progress} {...bar} />}
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
    <Shell title={jobWords.newTitle} section="inbox">
      <PageHead title={jobWords.newTitle} up={{ href: back, label: layoutWords.nav.inbox }} />
      <div class="panel">
        <div class="body job">
          <JobFacts
            line={line}
            changes={changes}
            assignee={assignee}
            more={[[jobWords.matching, jobWords.counted(total.count, total.isExact)]]}
          />
          <p class="hint">{isNothing ? jobWords.nothing : jobWords.hint}</p>
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
    </Shell>
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
  more: [label: string, content: ComponentChildren][];
}) {
  const facts: [string, ComponentChildren][] = [
    [jobWords.filter, props.line === '' ? jobWords.everything : <code>{props.line}</code>],
    props.format
      ? [jobWords.format, props.format]
      : [jobWords.what, textsOf(props.changes, props.assignee).join(', ')],
    ...props.more,
  ];
  return (
    <dl class="facts">
      {facts.map(([label, content]) => (
        <div>
          <dt class="hint">{label}</dt>
          <dd dir="auto">{content}</dd>
        </div>
      ))}
    </dl>
  );
}

function textsOf(changes: BulkChanges, name: string | null): string[] {
  const { addTag, removeTag, assignee, ...marks } = changes;
  const names = Object.keys(jobWords.changes) as (keyof typeof jobWords.changes)[];
  return [
    ...names
      .filter((name) => marks[name] !== undefined)
      .map((name) => jobWords.changes[name][marks[name] === true ? 1 : 0]),
    ...(addTag === undefined ? [] : [jobWords.addTag(addTag)]),
    ...(removeTag === undefined ? [] : [jobWords.removeTag(removeTag)]),
    ...(assignee === undefined ? [] : [jobWords.assign(name)]),
  ];
}
