import { ActionForm, Actions, Button, Field, LinkButton } from '../parts/controls.js';
import { Empty, PageHead } from '../parts/content.js';
import { Pages, type ListPages } from '../parts/pages.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Time } from '../parts/time.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { words } from '../words.js';
import { Spark } from '../statistics/spark.js';
import { Icon } from '../parts/icon.js';
import { Mend, briefOf, isOfService, type FormWarning } from '../deliveries/warning.js';

/** A form as the list shows it. */
export interface FormRow {
  name: string;
  identifier: string;
  count: number;
  /** Submissions on each of the last days, today last. */
  days: readonly number[];
  latestAt: Date | null;
  warnings: FormWarning[];
}

/** Draws the list of forms. */
export function FormsPage(props: {
  frame: Frame;
  rows: FormRow[];
  pages: ListPages;
  mayCreate: boolean;
  mayChange: boolean;
  mayCount: boolean;
}) {
  const { frame, rows, pages, mayCreate, mayChange, mayCount } = props;
  const { form } = words;
  const isTroubled = rows.some(({ warnings }) => ownOf(warnings) !== undefined);
  return (
    <Shell title={form.list} frame={frame} section="forms">
      <PageHead title={form.list}>
        {rows.length > 0 && (
          <>
            {mayCount && (
              <LinkButton href="/statistics" icon="chart-column">
                {words.statistics.title}
              </LinkButton>
            )}
            {mayCreate && (
              <LinkButton href="/new-form" kind="primary" icon="plus">
                {form.create}
              </LinkButton>
            )}
          </>
        )}
      </PageHead>
      {rows.length === 0 ? (
        <Empty icon="clipboard-list" title={form.emptyTitle}>
          <p>{form.empty}</p>
          {mayCreate && (
            <LinkButton href="/new-form" kind="primary" icon="plus">
              {form.create}
            </LinkButton>
          )}
        </Empty>
      ) : (
        <div class="panel">
          <table>
            <caption>{form.list}</caption>
            <thead>
              <tr>
                <th scope="col">{form.name}</th>
                {isTroubled && <th scope="col">{form.trouble}</th>}
                <th scope="col">{words.statistics.lastDays(rows[0]?.days.length ?? 0)}</th>
                <th scope="col" class="number">
                  {form.count}
                </th>
                <th scope="col" class="number">
                  {form.last}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row {...row} {...{ mayChange, isTroubled }} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages pages={pages} />
    </Shell>
  );
}

/** Returns the first warning that is about the form itself. */
function ownOf(warnings: FormWarning[]): FormWarning | undefined {
  return warnings.find((warning) => !isOfService(warning));
}

function Row(props: FormRow & { mayChange: boolean; isTroubled: boolean }) {
  const { name, identifier, count, days, latestAt, warnings, mayChange, isTroubled } = props;
  const { form } = words;
  const warning = ownOf(warnings);
  return (
    <tr>
      <th scope="row">
        <a class="row" dir="auto" href={`/forms/${identifier}`}>
          {name}
        </a>
      </th>
      {isTroubled && (
        <td class="wide">
          {warning && (
            <div class="mend">
              <Icon name="triangle-alert" />
              <p class="hint">{briefOf(warning)}</p>
              <Mend code={warning.code} here={`/forms/${identifier}`} mayChange={mayChange} />
            </div>
          )}
        </td>
      )}
      <td>
        <Spark days={days} />
      </td>
      <td class="number" data-label={form.count}>
        {count.toLocaleString('en')}
      </td>
      <td class="number quiet" data-label={form.last}>
        {latestAt ? <Time at={latestAt} /> : form.none}
      </td>
    </tr>
  );
}

/** Draws the page that asks for the name of a new form. */
export function NewFormPage(props: { frame: Frame; name: string; problems: FieldProblem[] }) {
  const { form } = words;
  return (
    <Shell title={form.create} frame={props.frame} section="forms">
      <PageHead title={form.create} up={{ href: '/forms', label: form.list }} />
      <ActionForm action="/forms" problems={props.problems}>
        <Field
          name="form.name"
          label={form.name}
          hint={form.createHint}
          value={props.name}
          problems={props.problems}
          required
          autofocus
          maxlength={255}
        />
        <Actions>
          <Button icon="plus">{form.create}</Button>
        </Actions>
      </ActionForm>
    </Shell>
  );
}
