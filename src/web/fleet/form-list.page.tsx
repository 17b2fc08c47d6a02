import {
  FORMS_COMPARED_MAX,
  type Column,
  type FleetFilter,
  COLUMNS,
  nameOf,
  failedOf,
  spamShare,
} from '../../reports/fleet/fleet-filter.js';
import type { FleetForm, FleetPage } from '../../reports/fleet/fleet.service.js';
import { Button, LinkButton, Check, Field, Select, Empty, Age, Icon, Pages, type ListPages } from '../parts/index.js';
import { Page } from '../layout/shell.js';
import { fleetWords, filterFields, listAddress, pressed, type ListAsk } from './change-typed.js';
import { formHeadWords, FormsTabs } from '../form-head/form-head.js';
import { formWords } from '../forms/words.js';
import { Spark } from '../activity/facets.js';
import { Mend, sentenceOf } from '../deliveries/warning.js';
import { causeWords } from '../layout/words.js';
import { StateDot } from '../activity/monitoring.js';

/** The form that sends the selected rows. */
const SELECTION = 'selection';

/** So many forms are found without a search; the heads of columns sort them. */
const SEARCHED_FROM = 8;

interface FormsPageProps {
  found: FleetPage;
  ask: ListAsk;
  pages: ListPages;
  /** Place of the first row among all. */
  first: number;
  /** The clients that the filter offers. */
  clients: { id: number; name: string }[];
  mayCreate: boolean;
  mayChange: boolean;
  mayCount: boolean;
}

/** Draws the list of forms. */
export function FormsPage(props: FormsPageProps) {
  const { found, ask, pages, mayCreate, mayCount } = props;
  const isFiltered = Object.keys(filterFields(ask.filter)).length > 0;
  const isEmpty = found.total === 0 && !isFiltered;
  return (
    <Page
      title={formHeadWords.list}
      section="forms"
      actions={
        !isEmpty && (
          <>
            {mayCreate && (
              <LinkButton href="/new-form" kind="primary" icon="plus">
                {formWords.create}
              </LinkButton>
            )}
          </>
        )
      }
    >
      {!isEmpty && mayCount && <FormsTabs now="list" />}
      {(isFiltered || found.total > SEARCHED_FROM) && <ListFilter {...props} isFiltered={isFiltered} />}
      {isEmpty && (
        <Empty icon="clipboard-list" title="No forms yet">
          <p>A form gives you an address to use as the action of an HTML form.</p>
          {mayCreate && (
            <>
              <LinkButton href="/new-form" kind="primary" icon="plus">
                {formWords.create}
              </LinkButton>{' '}
              <LinkButton href="/move">Move from another provider</LinkButton>
            </>
          )}
        </Empty>
      )}
      {isFiltered && found.total === 0 && <p>No forms match this filter.</p>}
      {found.isCut && <p class="hint">{fleetWords.cut(FORMS_COMPARED_MAX)}</p>}
      {found.forms.length > 0 && <Listed {...props} />}
      <Pages pages={pages} />
    </Page>
  );
}

function Listed(props: FormsPageProps) {
  const { found, ask, first, mayChange } = props;
  const { forms, total } = found;
  const isTroubled = forms.some(({ findings }) => findings.length > 0);
  const isSelectable = mayChange && total > 1;
  return (
    <>
      {total > 1 && (
        <form id={SELECTION} class="selection" action="/change-forms">
          <p class="hint">{fleetWords.shown(first, first + forms.length - 1, total)}</p>
          {isSelectable && <Selecting filter={ask.filter} total={total} />}
        </form>
      )}
      <div class="panel fleet">
        <table>
          <caption>{formHeadWords.list}</caption>
          <thead>
            <tr>
              <Head column="name" ask={ask} />
              {isTroubled && <th scope="col">Attention</th>}
              <Head column="recent" ask={ask} />
              <Head column="spam" ask={ask} isNumber />
              <Head column="failed" ask={ask} isNumber />
              <Head column="submissions" ask={ask} isNumber />
              <Head column="latest" ask={ask} isNumber />
            </tr>
          </thead>
          <tbody>
            {forms.map((one) => (
              <Row {...one} {...{ mayChange, isTroubled, isSelectable }} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function Selecting({ filter, total }: { filter: FleetFilter; total: number }) {
  return (
    <>
      {Object.entries(filterFields(filter)).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <Button kind="plain">Change selected</Button>
      <Button kind="plain" name="all" value="true">
        {fleetWords.changeAll(total)}
      </Button>
    </>
  );
}

/** Draws the head of a column, which sorts by it; once more turns the order round. */
function Head(props: { column: Column; ask: ListAsk; isNumber?: boolean }) {
  const { column, ask, isNumber = false } = props;
  const { order } = ask;
  const isOn = order.column === column;
  const isUp = (column === 'name') !== order.isReversed;
  return (
    <th
      scope="col"
      class={isNumber ? 'number' : undefined}
      aria-sort={isOn ? (isUp ? 'ascending' : 'descending') : undefined}
    >
      <a
        class="by"
        href={listAddress({ ...ask, order: pressed(order, column), page: 1 })}
        title={column === 'failed' ? 'Emails and webhook calls that failed in the last 30 days' : undefined}
      >
        {fleetWords.columns[column]}
      </a>
    </th>
  );
}

function Row(props: FleetForm & { mayChange: boolean; isTroubled: boolean; isSelectable: boolean }) {
  const { form, clients, received, watch, findings, shut } = props;
  const { mayChange, isTroubled, isSelectable } = props;
  const { columns } = fleetWords;
  const { name, identifier, submissionCount } = form;
  const [finding] = findings;
  const share = received ? spamShare(received) : 0;
  const failed = received ? failedOf(received) : 0;
  return (
    <tr>
      <th scope="row">
        <div class="named">
          {isSelectable && (
            <input
              class="above"
              type="checkbox"
              name="form"
              value={identifier}
              form={SELECTION}
              aria-label={`Select ${name}`}
            />
          )}
          {watch && <StateDot watch={watch} findings={findings} />}
          <div>
            <a class="row" dir="auto" href={`/forms/${identifier}`}>
              {name}
            </a>
            {shut && <span class="chip shut">{shutWord(shut.code)}</span>}
            {clients.length > 0 && (
              <p class="hint" dir="auto">
                {clients.map((client) => client.name).join(', ')}
              </p>
            )}
          </div>
        </div>
      </th>
      {isTroubled && (
        <td class="wide">
          {finding && (
            <div class="mend">
              <Icon name="triangle-alert" />
              <p class="hint" title={sentenceOf(finding)}>
                {causeWords[finding.code]}
              </p>
              <Mend code={finding.code} {...{ identifier, mayChange }} />
            </div>
          )}
        </td>
      )}
      <td>{received && <Recent days={received.days} count={received.submissions} />}</td>
      <td class="number quiet" data-label={columns.spam}>
        {share > 0 ? percent(share) : ''}
      </td>
      <td class="number failed" data-label={columns.failed}>
        {failed > 0 ? failed.toLocaleString('en') : ''}
      </td>
      <td class="number" data-label={columns.submissions}>
        {submissionCount.toLocaleString('en')}
      </td>
      <td class="number quiet" data-label={columns.latest}>
        {received?.latestAt ? <Age at={received.latestAt} /> : formWords.none}
      </td>
    </tr>
  );
}

function Recent({ days, count }: { days: readonly number[]; count: number }) {
  return (
    <div class="recent">
      <Spark days={days} />
      <span aria-hidden="true">{count.toLocaleString('en')}</span>
    </div>
  );
}

function shutWord(code: string) {
  const known: Record<string, string | undefined> = formHeadWords.shut;
  return known[code] ?? code;
}

/** Writes a part of a whole as percents; one that is not nothing is one percent at least. */
function percent(share: number) {
  return `${Math.max(1, Math.round(share * 100))}%`;
}

/** Draws what the list is filtered and sorted by. It asks by GET, so that what is shown has an address. */
function ListFilter(props: { ask: ListAsk; clients: readonly { id: number; name: string }[]; isFiltered: boolean }) {
  const { ask, clients, isFiltered } = props;
  const { q, clientId, hasProblems } = ask.filter;
  const options = clients.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <form class="filter" action="/forms" role="search">
      <Field name="q" label={formWords.search} type="search" value={q} maxlength={255} />
      {clients.length > 0 && (
        <Select
          name="client"
          label="Client"
          value={clientId === null ? '' : String(clientId)}
          options={[{ value: '', label: 'All clients' }, ...options]}
        />
      )}
      <Select name="sort" label="Sort by" value={nameOf(ask.order)} options={ordersOf(ask, clients.length > 0)} />
      <Check name="problems" label="Only with problems" checked={hasProblems} />
      <Button kind="plain">Show</Button>
      {isFiltered && <a href="/forms">Reset</a>}
    </form>
  );
}

/** Returns the columns to sort by, and the order of the list where it is turned round. */
function ordersOf({ order }: ListAsk, withClients: boolean) {
  const { columns } = fleetWords;
  const offered = COLUMNS.filter((column) => column !== 'client' || withClients);
  const option = (column: Column) => ({ value: column, label: columns[column] });
  const turned = { value: nameOf(order), label: `${columns[order.column]} ↑` };
  return [...offered.map(option), ...(order.isReversed ? [turned] : [])];
}
