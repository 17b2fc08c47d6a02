import { layoutWords } from '../layout/words.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import type { ExportFormat } from '../../exports/export-file.js';
import type { ExportFileFacts } from '../../jobs/exports/export-jobs.service.js';
import type { JobState } from '../../jobs/queue/bulk-job.entity.js';
import type { BulkChanges } from '../../jobs/changes/bulk-changes.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';
import { LiveRegion, Notice, PageHead, State } from '../parts/content.js';
import { Shell } from '../layout/shell.js';
import { Time } from '../parts/time.js';
import { exportWords, jobWords } from './words.js';
import { rowWords } from '../rows/words.js';
import { inboxAddress, inboxOf } from '../addresses/folders.js';
import { JobFacts } from './job-facts.js';

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
