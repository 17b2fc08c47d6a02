import { inboxOf } from '../addresses/folders.js';
import { Exports } from '../jobs/job.page.js';
import { SubmissionTable, type InboxRow } from '../rows/submission-table.js';
import { PageHead } from '../parts/content.js';
import { LinkButton, ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { AsCurl, Shell } from '../layout/shell.js';
import { formWords } from './words.js';
import { FindingNotice, Mend, type FindingShown } from '../deliveries/warning.js';
import { FormHead, formHeadWords } from '../form-head/form-head.js';
import { Coming, FirstMinute, FirstSubmission, type SetupProps } from './setup.page.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';

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
        {rows.length > 0 && (
          <SubmissionTable rows={rows} caption="Submissions" line={`form:${identifier}`} />
        )}
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
              Next, choose who gets an email about new submissions, and what visitors see after
              submitting.
            </p>
          )}
        </div>
      </div>
      {mayChange && (
        <div class="actions">
          <LinkButton kind="primary" href={`/forms/${identifier}/settings#notifications`}>
            {formWords.toNotifications}
          </LinkButton>
          <LinkButton href={`/forms/${identifier}/settings#visitors`}>
            {formWords.toThanks}
          </LinkButton>
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
          problems={props.problems}
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
