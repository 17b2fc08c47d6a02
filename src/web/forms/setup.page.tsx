import type { ComponentChildren } from 'preact';
import { FormShell, type FormShown, FormHead, formHeadWords } from '../form-head/form-head.js';
import {
  Button,
  LinkButton,
  ActionForm,
  Actions,
  Field,
  Copyable,
  LiveRegion,
  State,
  PageHead,
  Section,
} from '../parts/index.js';
import { snippetsFor, type ShownCaptcha } from '../../visitor-pages/pages.js';
import { fieldsOnPage } from '../../forms/model/form-snippet.js';
import { sampleValues } from '../../forms/model/sample-values.js';
import type { Field as FormField } from '../../forms/model/field.js';
import { formWords } from './words.js';
import { inboxOf } from '../addresses/folders.js';
import { Exports } from '../jobs/job.page.js';
import { SubmissionTable, type InboxRow } from '../rows/submission-table.js';
import { AsCurl, Shell, useFrame } from '../layout/shell.js';
import { FindingNotice, Mend, type FindingShown } from '../deliveries/warning.js';
import type { FieldProblem } from '../../platform/index.js';

/** How often a page asks whether the first submission is there, in seconds. */
const ASKED_EVERY_S = 2;

/** Steps towards a form in use. */
export interface StepsDone {
  submission: boolean;
  email: boolean;
  team: boolean;
}

export interface SetupProps {
  form: FormShown;
  /** Null for who may not take them. */
  steps: StepsDone | null;
  /** Extra proofs that its visitors give. */
  captcha: ShownCaptcha | null;
  /** The fields that the form lists. */
  fields: readonly FormField[];
}

/**
 * Draws how a form gets into a site.
 * @param props with `isNew`, nothing was sent yet, and the page waits for it
 */
export function SetupPage(props: SetupProps & { isNew: boolean }) {
  const { form, isNew } = props;
  return (
    <FormShell form={form} title="Setup" tab="setup">
      {!isNew && props.steps && <Steps identifier={form.identifier} done={props.steps} />}
      {isNew ? <FirstMinute {...props} /> : <Setup {...props} />}
      <Coming {...form} />
    </FormShell>
  );
}

/** Draws where to bring what another service has. */
function Coming({ identifier, mayChange, mayImport }: FormShown) {
  if (!mayChange) return null;
  return (
    <Section
      class="apart"
      title="Coming from another service?"
      hint="Your pages can keep the ID they name, and what was received there can come along."
    >
      <ul class="links">
        <li>
          <a href={`/forms/${identifier}/aliases`}>Keep old IDs working</a>
        </li>
        {mayImport && (
          <li>
            <a href={`/forms/${identifier}/import`}>Import submissions</a>
          </li>
        )}
      </ul>
    </Section>
  );
}

/** Draws how a form gets into a site, beside what waits for its first submission and then shows it. */
function FirstMinute(props: SetupProps) {
  return (
    <>
      {props.steps && <Steps identifier={props.form.identifier} done={props.steps} />}
      <div class="setup">
        <FirstSubmission identifier={props.form.identifier} live>
          <Waiting {...props} />
        </FirstSubmission>
        <Install {...props} />
      </div>
    </>
  );
}

/** Holds what the page of a form shows of its submissions; while `live`, it is renewed until the first is there. */
function FirstSubmission(props: { identifier: string; live: boolean; children: ComponentChildren }) {
  return (
    <LiveRegion id="first" href={`/forms/${props.identifier}`} seconds={ASKED_EVERY_S} live={props.live}>
      {props.children}
    </LiveRegion>
  );
}

function Waiting({ form, fields }: SetupProps) {
  return (
    <div class="panel awaited">
      <div class="waiting">
        <span class="dot" />
        <div>
          <h2>Waiting for your first submission</h2>
          <p class="hint">Add the form to your site and submit it once. This page updates automatically.</p>
          <noscript>
            <a href={`/forms/${form.identifier}`}>Check now</a>
          </noscript>
        </div>
      </div>
      {form.mayChange && (
        <>
          <TestForm {...form} fields={fields} />
          <div class="next">
            <p class="hint">Meanwhile</p>
            <a href={`/forms/${form.identifier}/settings#notifications`}>{formWords.toNotifications}</a>
            <a href={`/forms/${form.identifier}/settings#visitors`}>{formWords.toThanks}</a>
          </div>
        </>
      )}
    </div>
  );
}

/** Draws the steps towards a form in use, until all of them are done. */
function Steps({ identifier, done }: { identifier: string; done: StepsDone }) {
  const { steps } = formWords;
  if (Object.values(done).every(Boolean)) return null;
  const places = { submission: null, email: `/forms/${identifier}/settings`, team: '/people' };
  return (
    <ol class="steps-open" aria-label="First steps">
      <li>
        <State kind="good">Form</State>
      </li>
      {(['submission', 'email', 'team'] as const).map((step) => (
        <li>
          {done[step] ? (
            <State kind="good">{steps[step]}</State>
          ) : (
            <State kind="quiet" icon="circle">
              {steps[step]}
            </State>
          )}
          {!done[step] && places[step] !== null && (
            <>
              {' '}
              <a href={places[step]}>Set up</a>
            </>
          )}
        </li>
      ))}
    </ol>
  );
}

function Setup(props: SetupProps) {
  const { form, fields } = props;
  return (
    <div class="setup">
      {form.mayChange && (
        <div class="panel awaited">
          <h2>Test the form</h2>
          <TestForm {...form} fields={fields} />
        </div>
      )}
      <Install {...props} />
    </div>
  );
}

/** Draws a button that submits the form as a visitor would. */
function TestForm({ identifier, fields }: { identifier: string; fields: readonly FormField[] }) {
  return (
    <form class="test" method="post" action={`/f/${identifier}`} target="_blank" data-quietly>
      {sampleValues(fieldsOnPage({ fields })).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button kind="plain" icon="send">
        Send a test submission
      </Button>
      <p class="hint">Works like a real submission, including emails and the webhook.</p>
    </form>
  );
}

/** Draws the snippets; browsers keep one of them open at a time. */
function Install({ form, captcha, fields }: SetupProps) {
  const { sections } = useFrame();
  return (
    <Section title="Add the form to your site">
      <p class="hint">
        Copy this into your page. You can change the fields: each needs a name, and any name works. To receive files,
        add enctype="multipart/form-data" to the form.
      </p>
      <div class="snippets">
        {snippetsFor({ ...form, fields }, captcha).map(({ name, code }, index) => (
          <details name="snippet" open={index === 0}>
            <summary>{name}</summary>
            <Copyable id={`snippet-${name}`} text={code} />
          </details>
        ))}
      </div>
      {form.mayChange && (
        <p>
          No website? <a href={`/forms/${form.identifier}/settings#page`}>Give the form a page of its own</a>.
          {sections.includes('tokens') && (
            <>
              {' '}
              An agent builds yours? <a href="/tokens/agent">Connect it</a>.
            </>
          )}
        </p>
      )}
    </Section>
  );
}

interface FormPageProps extends SetupProps {
  count: number;
  findings: FindingShown[];
  /** The newest submissions. */
  rows: InboxRow[];
  /** Address in the API of the newest submissions; null for people of a client. */
  apiUrl: string | null;
  mayExport: boolean;
}

/** Draws the newest submissions of a form; before the first one, how it gets into a site. */
export function FormPage(props: FormPageProps) {
  const { form, findings, apiUrl } = props;
  const isNew = props.count === 0 && props.rows.length === 0;
  return (
    <Shell title={form.name} section="forms">
      <FormHead form={form} tab={isNew ? 'setup' : 'inbox'} />
      {findings
        .filter(({ subject }) => subject.kind === 'form')
        .map((finding) => (
          <FindingNotice finding={finding}>
            <Mend code={finding.code} {...form} />
          </FindingNotice>
        ))}
      {isNew ? (
        <>
          <FirstMinute {...props} />
          <Coming {...form} />
        </>
      ) : (
        <>
          <FirstSubmission identifier={form.identifier} live={false}>
            <Submissions {...props} />
          </FirstSubmission>
          {apiUrl !== null && <AsCurl url={apiUrl} />}
        </>
      )}
    </Shell>
  );
}

function Submissions({ form, rows, count, mayExport }: FormPageProps) {
  const { identifier } = form;
  return (
    <>
      {count === 1 && <Arrived {...form} />}
      <section>
        <h2>
          Newest submissions <span class="quiet">{count.toLocaleString('en')}</span>
        </h2>
        {rows.length > 0 && <SubmissionTable rows={rows} caption="Submissions" line={`form:${identifier}`} />}
        <div class="foot">
          <LinkButton href={inboxOf(identifier)} icon="inbox">
            {formWords.toInbox}
          </LinkButton>
          {mayExport && <Exports identifier={identifier} line="" />}
        </div>
      </section>
    </>
  );
}

/** Draws that the first submission is there, and what comes next. */
function Arrived({ identifier, mayChange }: FormPageProps['form']) {
  return (
    <div class="panel arrived">
      <div class="waiting">
        <span class="dot" />
        <div>
          <h2>It works: your first submission is here</h2>
          {mayChange && (
            <p class="hint">
              Next, choose who gets an email about new submissions, and what visitors see after submitting.
            </p>
          )}
        </div>
      </div>
      {mayChange && (
        <div class="actions">
          <LinkButton kind="primary" href={`/forms/${identifier}/settings#notifications`}>
            {formWords.toNotifications}
          </LinkButton>
          <LinkButton href={`/forms/${identifier}/settings#visitors`}>{formWords.toThanks}</LinkButton>
        </div>
      )}
    </div>
  );
}

/** Draws the page that asks for the name of a new form. */
export function NewFormPage(props: { name: string; problems: FieldProblem[] }) {
  return (
    <Shell title={formWords.create} section="forms">
      <PageHead title={formWords.create} up={{ href: '/forms', label: formHeadWords.list }} />
      <ActionForm action="/forms" problems={props.problems}>
        <Field
          name="form.name"
          label="Name"
          hint="Visitors see it in the browser tab of the thank-you page and in emails to them. You can change everything later."
          value={props.name}
          required
          autofocus
          maxlength={255}
        />
        <Actions>
          <Button icon="plus">{formWords.create}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
