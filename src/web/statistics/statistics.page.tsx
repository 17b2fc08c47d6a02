import { addDays } from '../../platform/kernel/time/days.js';
import { filterPart, momentText } from '../../submissions/filter/filter-line.js';
import { STEPS, type Span } from '../../statistics/span.js';
import type { Bucket, Statistics } from '../../statistics/counts/statistics.service.js';
import type { Counter } from '../../statistics/counts/submission-count.entity.js';
import { inboxAddress } from '../addresses/folders.js';
import { Button, Field, Select } from '../parts/controls.js';
import { PageHead } from '../parts/content.js';
import { Icon } from '../parts/icon.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { FormHead, type FormShown } from '../form-head/form-head.js';
import { dayName, nameOf } from './bucket-names.js';
import { Chart, Legend, sumOf, type Part } from './chart.js';
import { Facets, type FacetsShown } from './facets.js';
import { Figures } from './figures.js';
import { SPANS, type StatisticsAsk } from './statistics-ask.js';

const { statistics: said } = words;

const SUBMISSIONS: Part = {
  counter: 'submissions',
  label: said.submissions,
  said: said.said.submissions,
};
const RECEIVED: Part[] = [
  SUBMISSIONS,
  { counter: 'spam', label: said.spam, look: 'spam', said: said.said.spam },
];
const MAILS = partsOf('mailsDelivered', 'mailsLate', 'mailsFailed');
const CALLS = partsOf('callsDelivered', 'callsLate', 'callsFailed');

export interface StatisticsPageProps {
  frame: Frame;
  /** Null for all forms. */
  form: FormShown | null;
  ask: StatisticsAsk;
  span: Span;
  statistics: Statistics;
  facets: FacetsShown;
  /** Returns what the owner calls a field. */
  labelOf: (field: string) => string;
}

/** Draws what was received in a span: figures, a chart, and the table that says the same. */
export function StatisticsPage(props: StatisticsPageProps) {
  const { frame, form } = props;
  return (
    <Shell title={form ? said.of(form.name) : said.title} frame={frame} section="forms">
      {form ? (
        <FormHead form={form} tab="statistics" />
      ) : (
        <PageHead title={said.title} up={{ href: '/forms', label: words.form.list }} />
      )}
      <Spans {...props} />
      <Choice {...props} />
      <Figures {...props} parts={RECEIVED} mostOf={SUBMISSIONS} />
      <section class="panel">
        <div class="body">
          <h2>{spanName(props.span)}</h2>
          <Bars {...props} parts={RECEIVED} />
          <p class="hint">{said.hint}</p>
        </div>
      </section>
      <Deliveries {...props} title={said.mails} parts={MAILS} />
      <Deliveries {...props} title={said.calls} parts={CALLS} />
      <Facets {...props.facets} labelOf={props.labelOf} />
      <Table {...props} parts={RECEIVED} caption={spanName(props.span)} />
    </Shell>
  );
}

/** Draws a bar for each bucket, with what its colours mean. */
function Bars({ form, span, statistics, parts }: StatisticsPageProps & { parts: Part[] }) {
  return (
    <>
      <Legend parts={parts} />
      <Chart
        {...{ buckets: statistics.buckets, by: span.by, zone: span.zone, parts }}
        hrefOf={(bucket, { look }) => listOf(form, bucket, look)}
      />
    </>
  );
}

/** Draws what became of mails, or of calls; nothing where there were none. */
function Deliveries(props: StatisticsPageProps & { title: string; parts: Part[] }) {
  const { span, statistics, title, parts } = props;
  const { totals, before } = statistics;
  if (sumOf(totals, parts) + sumOf(before, parts) === 0) return null;
  return (
    <section class="panel">
      <div class="body">
        <h2>{title}</h2>
        <Figures {...props} />
        <Bars {...props} />
        <p class="hint">{said.deliveriesHint}</p>
        <details class="folded">
          <summary>
            <Icon name="chevron-right" /> {said.asTable}
          </summary>
          <Table {...props} caption={`${title}, ${spanName(span)}`} />
        </details>
      </div>
    </section>
  );
}

/** Draws the spans that end today. */
function Spans({ form, ask }: StatisticsPageProps) {
  return (
    <nav class="tabs" aria-label={said.spans}>
      {SPANS.map((name) => (
        <a
          href={`${addressOf(form)}?span=${name}`}
          aria-current={ask.name === name ? 'page' : undefined}
        >
          {said.span[name]}
        </a>
      ))}
    </nav>
  );
}

/** Draws the days and the step to choose. It sends by GET, so that each choice has an address. */
function Choice({ form, ask }: StatisticsPageProps) {
  const { problems } = ask;
  const isTooFine = problems.some(({ field }) => field === 'by');
  return (
    <form class="filter days" action={addressOf(form)}>
      <Field name="from" label={said.from} type="date" value={ask.from} problems={problems} />
      <Field name="to" label={said.to} type="date" value={ask.to} problems={problems} />
      <Select
        name="by"
        label={said.by}
        value={ask.by}
        options={STEPS.map((value) => ({ value, label: said.steps[value] }))}
      />
      <Button kind="plain">{said.show}</Button>
      {isTooFine && (
        <p class="problem" id="f-by-problem" role="alert">
          <Icon name="circle-x" /> {said.tooFine}
        </p>
      )}
    </form>
  );
}

function Table(props: StatisticsPageProps & { parts: Part[]; caption: string }) {
  const { form, span, statistics, parts, caption } = props;
  return (
    <div class="panel counts">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{said.columns[span.by]}</th>
            {parts.map(({ label }) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {statistics.buckets.map((bucket) => (
            <tr>
              <th scope="row">{nameOf(bucket.start, span.by, span.zone)}</th>
              {parts.map(({ counter, label, look }) => (
                <td class="number" data-label={label}>
                  <Count count={bucket[counter]} hrefOf={() => listOf(form, bucket, look)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Count({ count, hrefOf }: { count: number; hrefOf: () => string }) {
  const text = count.toLocaleString('en');
  return count === 0 ? <span class="quiet">{text}</span> : <a href={hrefOf()}>{text}</a>;
}

function addressOf(form: StatisticsPageProps['form']): string {
  return form ? `/forms/${form.identifier}/statistics` : '/statistics';
}

/** Returns the address of what a part of a bucket counts in the inbox: what is late is among what was received then. */
function listOf(
  form: StatisticsPageProps['form'],
  { start, end }: Bucket,
  look: Part['look'],
): string {
  const parts = [
    ...(form ? [filterPart('form', form.identifier)] : []),
    ...(look === 'spam' || look === 'failed' ? [`is:${look}`] : []),
    filterPart('from', momentText(start)),
    filterPart('to', momentText(end)),
  ];
  return inboxAddress(parts.join(' '));
}

/** Returns the first and the last day of a span in words. */
function spanName({ from, to }: Span): string {
  const day = (text: string) => dayName(new Date(`${text}T00:00:00Z`), 'UTC');
  return said.fromTo(day(from), day(addDays(to, -1)));
}

/** Returns what became of deliveries as parts of a bar. */
function partsOf(delivered: Counter, late: Counter, failed: Counter): Part[] {
  return [
    { counter: delivered, label: said.delivered, look: 'delivered', said: said.said.delivered },
    { counter: late, label: said.late, look: 'late', said: said.said.late },
    { counter: failed, label: said.failed, look: 'failed', said: said.said.failed },
  ];
}
