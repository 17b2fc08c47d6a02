import { inboxOf } from '../addresses/folders.js';
import { Exports } from '../jobs/job.page.js';
import { SubmissionTable, type InboxRow, rowWords } from '../rows/submission-table.js';
import { State, PageHead, Empty, Table } from '../parts/content.js';
import { LinkButton, ActionForm, Actions, Button, Field } from '../parts/controls.js';
import { AsCurl, Shell } from '../layout/shell.js';
import type { FieldOffered } from './row-preview.js';
import { formWords } from './words.js';
import { isUnwanted } from '../../warnings/warning.js';
import {
  isOfService,
  Mend,
  sentenceOf,
  WarningNotice,
  type FormWarning,
} from '../deliveries/warning.js';
import { FormHead, formHeadWords, FormShell, type FormShown } from '../form-head/form-head.js';
import { Coming, FirstMinute, FirstSubmission, type SetupProps } from './setup.page.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from '../../forms/model/field-labels.js';
import type { FieldTyped } from './settings.js';
import type { Preview } from '../../submissions/model/preview.js';

interface FormPageProps extends SetupProps {
  count: number;
  warnings: FormWarning[];
  /** The newest submissions. */
  rows: InboxRow[];
  /** Address in the API of the newest submissions; null for people of a client. */
  apiUrl: string | null;
  mayExport: boolean;
}

/** Draws the newest submissions of a form; before the first one, how it gets into a site. */
export function FormPage(props: FormPageProps) {
  const { form, warnings, apiUrl } = props;
  const isNew = props.count === 0 && props.rows.length === 0;
  return (
    <Shell title={form.name} section="forms">
      <FormHead form={form} tab={isNew ? 'setup' : 'inbox'} />
      {warnings
        .filter((warning) => !isOfService(warning))
        .map((warning) =>
          isUnwanted(warning) ? (
            <WarningNotice {...warning} {...form} />
          ) : (
            <p class="mend">
              <State kind="quiet">{sentenceOf(warning)}</State> <Mend {...warning} {...form} />
            </p>
          ),
        )}
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
          {formWords.newest} <span class="quiet">{count.toLocaleString('en')}</span>
        </h2>
        {rows.length > 0 && (
          <SubmissionTable
            rows={rows}
            caption={formWords.submissions}
            line={`form:${identifier}`}
          />
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
          <h2>{formWords.arrived}</h2>
          {mayChange && <p class="hint">{formWords.arrivedHint}</p>}
        </div>
      </div>
      {mayChange && (
        <div class="actions">
          <LinkButton kind="primary" href={`/forms/${identifier}/notifications`}>
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
          label={formWords.name}
          hint={formWords.createHint}
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

export interface LabelsPageProps {
  form: FormShown;
  fields: FieldTyped[];
  problems: FieldProblem[];
  /** Longest label, in characters. */
  labelMax: number;
}

/** Draws the fields of a form with what people read in place of their names, and their order. */
export function LabelsPage({ form, fields, problems, labelMax }: LabelsPageProps) {
  const { labels } = formWords;
  return (
    <FormShell form={form} title={labels.title} tab="settings" part="fields">
      <section>
        <h2>{labels.title}</h2>
        {fields.length === 0 ? (
          <Empty icon="clipboard-list" title={labels.emptyTitle}>
            <p>{labels.empty}</p>
          </Empty>
        ) : (
          <ActionForm
            action={`/forms/${form.identifier}/labels`}
            problems={problems}
            submit={formWords.save}
          >
            <p class="hint">{labels.hint}</p>
            <Table class="labels" head={[labels.field, labels.label, labels.place]}>
              {fields.map(({ name, label, place }, index) => (
                <tr>
                  <th scope="row">
                    <code dir="auto">{name}</code>
                    <input type="hidden" name="name" value={name} />
                  </th>
                  <td class="field">
                    <input
                      name="label"
                      type="text"
                      value={label}
                      placeholder={fieldLabel(name)}
                      maxlength={labelMax}
                      aria-label={labels.labelOf(name)}
                      aria-invalid={isWrong(problems, index) ? true : undefined}
                      dir="auto"
                    />
                  </td>
                  <td class="field">
                    <input
                      name="place"
                      type="text"
                      inputmode="numeric"
                      value={place}
                      placeholder={labels.unplaced}
                      size={3}
                      maxlength={3}
                      aria-label={labels.placeOf(name)}
                    />
                  </td>
                </tr>
              ))}
            </Table>
          </ActionForm>
        )}
      </section>
    </FormShell>
  );
}

function isWrong(problems: FieldProblem[], index: number): boolean {
  return problems.some(({ field }) => field.startsWith(`labels.${index}.`));
}

export interface RowPreviewPageProps {
  form: FormShown;
  fields: FieldOffered[];
  /** Previews of the newest submissions. */
  samples: Preview[];
  /** The fields that are shown because they tell most; empty with a choice, and before there is enough. */
  learnt: string[];
  problems: FieldProblem[];
}

/** Draws the fields of a form with their places in rows of the inbox, and what rows look like. */
export function RowPreviewPage(props: RowPreviewPageProps) {
  const { form, fields, samples, learnt, problems } = props;
  const { rows } = formWords;
  return (
    <FormShell form={form} title={rows.title} tab="settings" part="preview">
      <section>
        <h2>{rows.title}</h2>
        {fields.length === 0 ? (
          <Empty icon="clipboard-list" title={formWords.labels.emptyTitle}>
            <p>{formWords.labels.empty}</p>
          </Empty>
        ) : (
          <>
            <Samples samples={samples} />
            <ActionForm action={`/forms/${form.identifier}/preview`} problems={problems}>
              <p class="hint">{rows.hint}</p>
              {learnt.length > 0 && (
                <p class="hint">
                  {rows.learnt}{' '}
                  {learnt.map((name, at) => (
                    <>
                      {at > 0 && ', '}
                      <code dir="auto">{name}</code>
                    </>
                  ))}
                </p>
              )}
              <Table
                class="labels"
                head={[formWords.labels.field, rows.example, formWords.labels.place]}
              >
                {fields.map(({ name, example, place }) => (
                  <tr>
                    <th scope="row">
                      <code dir="auto">{name}</code>
                      <input type="hidden" name="name" value={name} />
                    </th>
                    <td class="quiet example" dir="auto">
                      {example}
                    </td>
                    <td class="field">
                      <input
                        name="place"
                        type="text"
                        inputmode="numeric"
                        value={place}
                        placeholder={formWords.labels.unplaced}
                        size={3}
                        maxlength={3}
                        aria-label={rows.placeOf(name)}
                      />
                    </td>
                  </tr>
                ))}
              </Table>
              <Actions>
                <Button>{formWords.save}</Button>
                <Button kind="plain" name="chosen_for_me" value="true">
                  {rows.choose}
                </Button>
              </Actions>
            </ActionForm>
          </>
        )}
      </section>
    </FormShell>
  );
}

/** Draws the rows of the newest submissions as lists show them. */
function Samples({ samples }: { samples: Preview[] }) {
  const { rows } = formWords;
  if (samples.length === 0) return null;
  return (
    <section class="panel samples">
      <h2 class="hint">{rows.now}</h2>
      <ul>
        {samples.map(({ from, rest }) => (
          <li>
            <b dir="auto">{from === '' ? rowWords.noValues : from}</b>
            <span class="quiet">
              {rest.map((text, at) => (
                <>
                  {at > 0 && ' · '}
                  <bdi>{text}</bdi>
                </>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
