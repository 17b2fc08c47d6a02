import type { ComponentChildren } from 'preact';
import { addDays, daysBetween } from '../../platform/index.js';
import { filterPart, momentText } from '../../submissions/filter/filter-line.js';
import { type Span, STEPS, type Step } from '../../statistics/span.js';
import type { Bucket, Statistics } from '../../statistics/statistics.service.js';
import type { SumName } from '../../statistics/sums.js';
import { inboxAddress } from '../addresses/folders.js';
import { Fold, PageHead, Icon, Table, Tabs, LinkButton, Button, Field } from '../parts/index.js';
import { Shell } from '../layout/shell.js';
import { formHeadWords, FormsTabs, type FormShown } from '../form-head/form-head.js';
import { statisticsWords, Facets, type FacetsShown, type StatisticsAsk, SPANS } from './facets.js';
import { dayName, nameOf, Chart, Legend, rangeOf, sumOf, type Part, type Usual } from './chart.js';

/** Bars that are offered, at most: more are too thin to see. */
const BARS_MAX = 200;
/** Bars in a day. */
const PER_DAY: Record<Step, number> = { hour: 24, day: 1, week: 1 / 7, month: 1 / 30 };

/**
 * Draws the spans that end today, what a bar may be, and days to choose by hand. All of it is in the address.
 * @param props.address of the page
 */
function Choice(props: { ask: StatisticsAsk; span: Span; address: string }) {
  const { ask, span, address } = props;
  const days = daysBetween(span.from, span.to);
  const isUseful = (step: Step) => days * PER_DAY[step] >= 1 && days * PER_DAY[step] <= BARS_MAX;
  return (
    <div class="choice">
      <Tabs
        class="parts"
        label="Time span"
        tabs={SPANS.map((name) => ({
          ...{ name: statisticsWords.span[name], href: `${address}?${queryOf({ ...ask, name })}` },
          isNow: ask.name === name,
        }))}
      />
      <Tabs
        class="parts"
        label="Group by"
        tabs={STEPS.filter((step) => step === span.by || isUseful(step)).map((step) => ({
          ...{ name: statisticsWords.steps[step], href: `${address}?${queryOf(ask)}&by=${step}` },
          isNow: step === span.by,
        }))}
      />
      <Days {...props} />
    </div>
  );
}

/** Draws the days to choose. They are sent by GET, so that each choice has an address. */
function Days({ ask, address }: { ask: StatisticsAsk; address: string }) {
  const { problems } = ask;
  const isTooFine = problems.some(({ field }) => field === 'by');
  return (
    <details class="days" open={ask.name === null || problems.length > 0}>
      <summary>Custom dates</summary>
      <form class="filter" action={address}>
        <Field name="from" label="From" type="date" value={ask.from} problems={problems} />
        <Field name="to" label="To" type="date" value={ask.to} problems={problems} />
        <input type="hidden" name="by" value={ask.by} />
        {ask.withoutImports && <input type="hidden" name="imports" value="off" />}
        <Button kind="plain">Show</Button>
        {isTooFine && (
          <p class="problem" id="f-by-problem" role="alert">
            <Icon name="circle-x" /> That is more than 400 bars. Group by a longer step, or choose a shorter span.
          </p>
        )}
      </form>
    </details>
  );
}

function queryOf({ name, from, to, withoutImports }: StatisticsAsk) {
  const query = new URLSearchParams(name === null ? { from, to } : { span: name });
  if (withoutImports) query.set('imports', 'off');
  return query.toString();
}

/** Says how many were imported, and lets the reader leave them out; nothing where none were. */
function Imports({ ask, span, statistics, form }: StatisticsPageProps) {
  const { totals, before } = statistics;
  if (totals.imported + before.imported === 0) return null;
  const { withoutImports } = ask;
  const query = queryOf({ ...ask, withoutImports: !withoutImports });
  return (
    <p class="hint">
      {withoutImports
        ? `Without ${totals.imported.toLocaleString('en')} imported submissions.`
        : `Includes ${totals.imported.toLocaleString('en')} imported submissions.`}{' '}
      <a href={`${addressOf(form)}?${query}&by=${span.by}`}>{withoutImports ? 'Include them' : 'Leave them out'}</a>
    </p>
  );
}

const SUBMISSIONS: Part = {
  counter: 'submissions',
  label: statisticsWords.submissions,
  said: statisticsWords.said.submissions,
};
const RECEIVED: Part[] = [
  SUBMISSIONS,
  { counter: 'spam', label: 'Spam', look: 'spam', said: statisticsWords.said.spam },
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
  /** Amounts that are usual for each bucket, and a sentence about them. */
  usual?: readonly Usual[] | undefined;
  said?: string;
}

/** Draws what all forms received. */
export function StatisticsPage(props: StatisticsPageProps) {
  return (
    <Shell title={statisticsWords.title} section="forms">
      <PageHead title={formHeadWords.list}>
        {props.reportOf !== null && <LinkButton href={`/clients/${props.reportOf}/report`}>Monthly report</LinkButton>}
      </PageHead>
      <FormsTabs now="statistics" />
      <Charts {...props} />
    </Shell>
  );
}

/** Draws what was received in a span: a chart and its figures, what became of emails and calls, and where it came from. */
export function Charts(props: StatisticsPageProps & { children?: ComponentChildren }) {
  const { form } = props;
  return (
    <>
      <Choice {...props} address={addressOf(form)} />
      <Counted {...props} title={spanName(props.span)} parts={RECEIVED} mostOf={SUBMISSIONS}>
        <p class="hint">
          {props.said} Includes submissions in the trash and those erased since. New ones appear within seconds.
        </p>
        <Imports {...props} />
      </Counted>
      {props.children}
      <Deliveries {...props} title="Emails" parts={MAILS} />
      <Deliveries {...props} title="Webhook calls" parts={CALLS} />
      <Facets {...props.facets} labelOf={props.labelOf} />
    </>
  );
}

interface CountedProps extends StatisticsPageProps {
  title: string;
  /** The parts of a bar. */
  parts: Part[];
}

/** Draws a chart with its figures, and folded the table that says the same. */
function Counted(props: CountedProps & { mostOf?: Part; children: ComponentChildren }) {
  const { form, span, statistics, title, parts, mostOf } = props;
  // What is usual is known of what was received alone.
  const usual = mostOf && props.usual;
  const { buckets, totals } = statistics;
  const isEmpty = sumOf(totals, parts) === 0;
  return (
    <section class="panel">
      <div class="body">
        <div class="charted">
          <h2>{title}</h2>
          <Legend {...{ parts, usual }} />
        </div>
        <Chart
          {...{ buckets, by: span.by, zone: span.zone, parts, usual }}
          hrefOf={(bucket, { look }) => listOf(form, bucket, look)}
        />
        {isEmpty && <p>Nothing in this time span.</p>}
        <Figures {...props} />
        {props.children}
        {!isEmpty && (
          <Fold title={statisticsWords.asTable}>
            <Counts {...props} usual={usual} />
          </Fold>
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
      <p class="hint">
        By the time the submission was received. Late: delivered after a retry. Pending deliveries are not counted.
      </p>
    </Counted>
  );
}

/** Draws the buckets in which there was something as a table. */
function Counts({ form, span, statistics, parts, title, usual }: CountedProps) {
  const isKnown = usual?.some((each) => each !== null) ?? false;
  return (
    <Table
      panel="counts"
      caption={title}
      head={[
        statisticsWords.columns[span.by],
        ...parts.map(({ label }) => ({ number: label })),
        isKnown && { number: statisticsWords.usual },
      ]}
    >
      {statistics.buckets
        .map((bucket, at) => ({ bucket, then: usual?.[at] ?? null }))
        .filter(({ bucket }) => sumOf(bucket, parts) > 0)
        .map(({ bucket, then }) => (
          <tr>
            <th scope="row">{nameOf(bucket.start, span.by, span.zone)}</th>
            {parts.map(({ counter, label, look }) => (
              <td class="number" data-label={label}>
                <Count count={bucket[counter]} hrefOf={() => listOf(form, bucket, look)} />
              </td>
            ))}
            {isKnown && (
              <td class="number quiet" data-label={statisticsWords.usual}>
                {then ? rangeOf(then) : 'Not known'}
              </td>
            )}
          </tr>
        ))}
    </Table>
  );
}

function Count({ count, hrefOf }: { count: number; hrefOf: () => string }) {
  const text = count.toLocaleString('en');
  return count === 0 ? <span class="quiet">{text}</span> : <a href={hrefOf()}>{text}</a>;
}

function addressOf(form: StatisticsPageProps['form']) {
  return form ? `/forms/${form.identifier}/activity` : '/statistics';
}

/** Returns the address of what a part of a bucket counts in the inbox: what is late is among what was received then. */
function listOf(form: StatisticsPageProps['form'], { start, end }: Bucket, look: Part['look']) {
  const parts = [
    ...(form ? [filterPart('form', form.identifier)] : []),
    ...(look === 'spam' || look === 'failed' ? [`is:${look}`] : []),
    filterPart('from', momentText(start)),
    filterPart('to', momentText(end)),
  ];
  return inboxAddress(parts.join(' '));
}

/** Returns the first and the last day of a span in words. */
function spanName({ from, to }: Span) {
  const day = (text: string) => dayName(new Date(`${text}T00:00:00Z`), 'UTC');
  return statisticsWords.fromTo(day(from), day(addDays(to, -1)));
}

/** Returns what became of deliveries as parts of a bar. */
function partsOf(delivered: SumName, late: SumName, failed: SumName): Part[] {
  return [
    { counter: delivered, label: 'Delivered', look: 'delivered', said: statisticsWords.said.delivered },
    { counter: late, label: 'Late', look: 'late', said: statisticsWords.said.late },
    { counter: failed, label: 'Failed', look: 'failed', said: statisticsWords.said.failed },
  ];
}

/**
 * Draws the sum of each part, compared with as many days before.
 * @param props.mostOf the part whose highest bar is told too
 */
function Figures(props: { span: Span; statistics: Statistics; parts: readonly Part[]; mostOf?: Part }) {
  const { span, statistics, parts, mostOf } = props;
  const { totals, before, buckets } = statistics;
  const days = statisticsWords.before(daysBetween(span.from, span.to));
  // Said once, and not of each.
  const isFirst = sumOf(before, parts) === 0;
  const most = mostOf && highest(buckets, mostOf);
  return (
    <>
      <dl class="figures">
        {parts.map(({ counter, label }) => (
          <Figure
            label={label}
            value={totals[counter]}
            hint={isFirst ? null : compared(totals[counter], before[counter], days)}
          />
        ))}
        {mostOf && most && (
          <Figure
            label={statisticsWords.most[span.by]}
            value={most[mostOf.counter]}
            hint={nameOf(most.start, span.by, span.zone)}
          />
        )}
      </dl>
      {isFirst && <p class="hint">No data for {days}.</p>}
    </>
  );
}

function Figure({ label, value, hint }: { label: string; value: number; hint: string | null }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value.toLocaleString('en')}</dd>
      {hint !== null && <dd class="hint">{hint}</dd>}
    </div>
  );
}

/** Returns the bucket with most of a part, the first of several; null when all are empty. */
function highest(buckets: readonly Bucket[], { counter }: Part) {
  return buckets.reduce<Bucket | null>((best, each) => (each[counter] > (best?.[counter] ?? 0) ? each : best), null);
}

/** Compares a sum with that of before, in percent where that says more than the number. */
function compared(now: number, before: number, days: string) {
  const count = before.toLocaleString('en');
  if (before === 0 && now > 0) return `None in ${days}`;
  if (now === before) return `Same as in ${days} (${count})`;
  const by = `${Math.max(Math.round((Math.abs(now - before) / before) * 100), 1)}%`;
  return now > before ? `${by} more than in ${days} (${count})` : `${by} fewer than in ${days} (${count})`;
}
