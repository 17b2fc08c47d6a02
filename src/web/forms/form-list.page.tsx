import { LinkButton } from '../parts/controls.js';
import { Empty, PageHead } from '../parts/content.js';
import { ListTools, type Chip } from '../parts/list-tools.js';
import { Pages, type ListPages } from '../parts/pages.js';
import { Shell, type Frame } from '../layout/shell.js';
import { Age } from '../parts/time.js';
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

/** Forms of a client, or of none. */
export interface FormGroup {
  /** Null for a list that is not grouped. */
  client: { id: number; name: string } | null | 'none';
  rows: FormRow[];
}

/** Draws the list of forms. */
export function FormsPage(props: {
  frame: Frame;
  groups: FormGroup[];
  /** The name that is searched for. */
  q: string;
  /** Ways to arrange the list; none where it has several pages. */
  chips: Chip[];
  pages: ListPages;
  mayCreate: boolean;
  mayChange: boolean;
  mayCount: boolean;
}) {
  const { frame, groups, q, chips, pages, mayCreate, mayChange, mayCount } = props;
  const { form } = words;
  const rows = groups.flatMap((group) => group.rows);
  const isEmpty = rows.length === 0 && q === '';
  const isTroubled = rows.some(({ warnings }) => ownOf(warnings) !== undefined);
  return (
    <Shell title={form.list} frame={frame} section="forms">
      <PageHead title={form.list}>
        {!isEmpty && (
          <>
            {mayCount && (
              <LinkButton href="/statistics" icon="chart-column">
                {words.statistics.title}
              </LinkButton>
            )}
            {mayCreate && (
              <>
                <LinkButton href="/move">{words.move.open}</LinkButton>
                <LinkButton href="/new-form" kind="primary" icon="plus">
                  {form.create}
                </LinkButton>
              </>
            )}
          </>
        )}
      </PageHead>
      {!isEmpty && <ListTools action="/forms" label={form.search} q={q} chips={chips} />}
      {!isEmpty && rows.length === 0 && <p>{form.noneFound(q)}</p>}
      {isEmpty && (
        <Empty icon="clipboard-list" title={form.emptyTitle}>
          <p>{form.empty}</p>
          {mayCreate && (
            <>
              <LinkButton href="/new-form" kind="primary" icon="plus">
                {form.create}
              </LinkButton>{' '}
              <LinkButton href="/move">{words.move.open}</LinkButton>
            </>
          )}
        </Empty>
      )}
      {rows.length > 0 && (
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
            {groups.map(({ client, rows: some }) => (
              <tbody>
                {client !== null && <GroupRow client={client} />}
                {some.map((row) => (
                  <Row {...row} {...{ mayChange, isTroubled }} />
                ))}
              </tbody>
            ))}
          </table>
        </div>
      )}
      <Pages pages={pages} />
    </Shell>
  );
}

function GroupRow({ client }: { client: { id: number; name: string } | 'none' }) {
  return (
    <tr class="group">
      <th scope="rowgroup" colspan={5}>
        {client === 'none' ? (
          words.form.noClient
        ) : (
          <a dir="auto" href={`/clients/${client.id}`}>
            {client.name}
          </a>
        )}
      </th>
    </tr>
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
        {latestAt ? <Age at={latestAt} /> : form.none}
      </td>
    </tr>
  );
}
