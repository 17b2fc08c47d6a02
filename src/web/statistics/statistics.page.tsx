import type { ComponentChildren } from 'preact';
import { addDays } from '../../platform/kernel/time/days.js';
import { filterPart, momentText } from '../../submissions/filter/filter-line.js';
import type { Span } from '../../statistics/span.js';
import type { Bucket, Statistics } from '../../statistics/counts/statistics.service.js';
import type { Counter } from '../../statistics/counts/sums.js';
import { inboxAddress } from '../addresses/folders.js';
import { PageHead } from '../parts/content.js';
import { LinkButton } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { Shell } from '../layout/shell.js';
import { formHeadWords } from '../form-head/words.js';
import { statisticsWords } from './words.js';
import { FormHead } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { dayName, nameOf } from './bucket-names.js';
import { Chart, Legend, sumOf, type Part } from './chart.js';
import { Facets, type FacetsShown } from './facets.js';
import { Figures } from './figures.js';
import { Choice } from './choice.js';
import type { StatisticsAsk } from './statistics-ask.js';

const SUBMISSIONS: Part = {
  counter: 'submissions',
  label: statisticsWords.submissions,
  said: statisticsWords.said.submissions,
};
const RECEIVED: Part[] = [
  SUBMISSIONS,
  { counter: 'spam', label: statisticsWords.spam, look: 'spam', said: statisticsWords.said.spam },
];
const MAILS = partsOf('mailsDelivered', 'mailsLate', 'mailsFailed');
const CALLS = partsOf('callsDelivered', 'callsLate', 'callsFailed');

export interface StatisticsPageProps {
  /** Null for all forms. */
  form: FormShown | null;
  ask: StatisticsAsk;
  span: Span;
  statistics: Statistics;
  facets: FacetsShown;
  /** The client whose monthly report is offered; null for none. */
  reportOf: number | null;
  /** Returns what the owner calls a field. */
  labelOf: (field: string) => string;
}

/** Draws what was received in a span: a chart and its figures, what became of emails and calls, and where it came from. */
export function StatisticsPage(props: StatisticsPageProps) {
  const { form } = props;
  return (
    <Shell title={form ? statisticsWords.of(form.name) : statisticsWords.title} section="forms">
      {form ? (
        <FormHead form={form} tab="statistics" />
      ) : (
        <PageHead title={statisticsWords.title} up={{ href: '/forms', label: formHeadWords.list }}>
          {props.reportOf !== null && (
            <LinkButton href={`/clients/${props.reportOf}/report`}>
              {statisticsWords.report}
            </LinkButton>
          )}
        </PageHead>
      )}
      <Choice {...props} address={addressOf(form)} />
      <Counted {...props} title={spanName(props.span)} parts={RECEIVED} mostOf={SUBMISSIONS}>
        <p class="hint">{statisticsWords.hint}</p>
      </Counted>
      <Deliveries {...props} title={statisticsWords.mails} parts={MAILS} />
      <Deliveries {...props} title={statisticsWords.calls} parts={CALLS} />
      <Facets {...props.facets} labelOf={props.labelOf} />
    </Shell>
  );
}

interface CountedProps extends StatisticsPageProps {
  title: string;
  /** The parts of a bar. */
  parts: Part[];
}

/** Draws a chart with its figures, and folded the table that says the same. */
function Counted(props: CountedProps & { mostOf?: Part; children: ComponentChildren }) {
  const { form, span, statistics, title, parts } = props;
  const { buckets, totals } = statistics;
  const isEmpty = sumOf(totals, parts) === 0;
  return (
    <section class="panel">
      <div class="body">
        <div class="charted">
          <h2>{title}</h2>
          <Legend parts={parts} />
        </div>
        <Chart
          {...{ buckets, by: span.by, zone: span.zone, parts }}
          hrefOf={(bucket, { look }) => listOf(form, bucket, look)}
        />
        {isEmpty && <p>{statisticsWords.nothing}</p>}
        <Figures {...props} />
        {props.children}
        {!isEmpty && (
          <details class="folded">
            <summary>
              <Icon name="chevron-right" /> {statisticsWords.asTable}
            </summary>
            <Table {...props} />
          </details>
        )}
      </div>
    </section>
  );
}

/** Draws what became of emails, or of calls; nothing where there were none. */
function Deliveries(props: CountedProps) {
  const { totals, before } = props.statistics;
  if (sumOf(totals, props.parts) + sumOf(before, props.parts) === 0) return null;
  return (
    <Counted {...props}>
      <p class="hint">{statisticsWords.deliveriesHint}</p>
    </Counted>
  );
}

/** Draws the buckets in which there was something as a table. */
function Table({ form, span, statistics, parts, title }: CountedProps) {
  return (
    <div class="panel counts">
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{statisticsWords.columns[span.by]}</th>
            {parts.map(({ label }) => (
              <th scope="col" class="number">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {statistics.buckets
            .filter((bucket) => sumOf(bucket, parts) > 0)
            .map((bucket) => (
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
  return statisticsWords.fromTo(day(from), day(addDays(to, -1)));
}

/** Returns what became of deliveries as parts of a bar. */
function partsOf(delivered: Counter, late: Counter, failed: Counter): Part[] {
  return [
    {
      counter: delivered,
      label: statisticsWords.delivered,
      look: 'delivered',
      said: statisticsWords.said.delivered,
    },
    { counter: late, label: statisticsWords.late, look: 'late', said: statisticsWords.said.late },
    {
      counter: failed,
      label: statisticsWords.failed,
      look: 'failed',
      said: statisticsWords.said.failed,
    },
  ];
}
