import { addDays, daysBetween } from '../../platform/kernel/days.js';
import { filterPart } from '../../submissions/search/filter-line.js';
import { STEPS, type Span } from '../../submissions/statistics/span.js';
import type { Bucket, Statistics } from '../../submissions/statistics/statistics.service.js';
import { inboxAddress } from '../inbox/folders.js';
import { Button, Field, Select } from '../layout/controls.js';
import { PageHead } from '../layout/content.js';
import { Icon } from '../layout/icon.js';
import { Shell, type Frame } from '../layout/shell.js';
import { words } from '../words.js';
import { dayName, nameOf } from './bucket-names.js';
import { Chart, Legend } from './chart.js';
import { SPANS, type StatisticsAsk } from './statistics-ask.js';

const { statistics: said } = words;

export interface StatisticsPageProps {
  frame: Frame;
  /** Null for all forms. */
  form: { name: string; identifier: string } | null;
  ask: StatisticsAsk;
  span: Span;
  statistics: Statistics;
}

/** Draws what was received in a span: figures, a chart, and the table that says the same. */
export function StatisticsPage(props: StatisticsPageProps) {
  const { frame, form } = props;
  const up = form
    ? { href: `/forms/${form.identifier}`, label: form.name }
    : { href: '/forms', label: words.form.list };
  return (
    <Shell title={form ? said.of(form.name) : said.title} frame={frame} section="forms">
      <PageHead title={said.title} up={up} />
      <Spans {...props} />
      <Choice {...props} />
      <Figures {...props} />
      <section class="panel">
        <div class="body">
          <h2>{spanName(props.span)}</h2>
          <Legend />
          <Chart
            {...{ buckets: props.statistics.buckets, by: props.span.by, zone: props.span.zone }}
            hrefOf={(bucket) => listOf(form, bucket, bucket.submissions === 0)}
          />
          <p class="hint">{said.hint}</p>
        </div>
      </section>
      <Table {...props} />
    </Shell>
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

/** Draws the sums, each compared with as many days before. */
function Figures({ span, statistics }: StatisticsPageProps) {
  const { totals, before, buckets } = statistics;
  const days = said.before(daysBetween(span.from, span.to));
  const most = buckets.reduce<Bucket | null>(
    (best, each) => (each.submissions > (best?.submissions ?? 0) ? each : best),
    null,
  );
  return (
    <dl class="figures">
      <Figure
        label={said.submissions}
        value={totals.submissions}
        hint={compared(totals.submissions, before.submissions, days)}
      />
      <Figure
        label={said.spam}
        value={totals.spam}
        hint={compared(totals.spam, before.spam, days)}
      />
      {most && (
        <Figure
          label={said.most[span.by]}
          value={most.submissions}
          hint={nameOf(most.start, span.by, span.zone)}
        />
      )}
    </dl>
  );
}

function Figure({ label, value, hint }: { label: string; value: number; hint: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value.toLocaleString('en')}</dd>
      <dd class="hint">{hint}</dd>
    </div>
  );
}

function Table({ form, span, statistics }: StatisticsPageProps) {
  return (
    <div class="panel counts">
      <table>
        <caption>{spanName(span)}</caption>
        <thead>
          <tr>
            <th scope="col">{said.columns[span.by]}</th>
            <th scope="col" class="number">
              {said.submissions}
            </th>
            <th scope="col" class="number">
              {said.spam}
            </th>
          </tr>
        </thead>
        <tbody>
          {statistics.buckets.map((bucket) => (
            <Row {...{ form, bucket, span }} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row(props: { form: StatisticsPageProps['form']; bucket: Bucket; span: Span }) {
  const { form, bucket, span } = props;
  const when = nameOf(bucket.start, span.by, span.zone);
  return (
    <tr>
      <th scope="row">{when}</th>
      <td class="number" data-label={said.submissions}>
        <Count count={bucket.submissions} href={listOf(form, bucket, false)} />
      </td>
      <td class="number" data-label={said.spam}>
        <Count count={bucket.spam} href={listOf(form, bucket, true)} />
      </td>
    </tr>
  );
}

function Count({ count, href }: { count: number; href: string }) {
  const text = count.toLocaleString('en');
  return count === 0 ? <span class="quiet">{text}</span> : <a href={href}>{text}</a>;
}

/** Compares a sum with that of before, in percent where that says more than the number. */
function compared(now: number, before: number, days: string): string {
  const count = before.toLocaleString('en');
  if (before === 0) return said.none(days);
  if (now === before) return said.same(count, days);
  const by = `${Math.max(Math.round((Math.abs(now - before) / before) * 100), 1)} %`;
  return now > before ? said.more(by, count, days) : said.fewer(by, count, days);
}

function addressOf(form: StatisticsPageProps['form']): string {
  return form ? `/forms/${form.identifier}/statistics` : '/statistics';
}

/** Returns the address of what a bucket counts in the inbox. */
function listOf(
  form: StatisticsPageProps['form'],
  { start, end }: Bucket,
  isSpam: boolean,
): string {
  const parts = [
    ...(form ? [filterPart('form', form.identifier)] : []),
    ...(isSpam ? ['is:spam'] : []),
    filterPart('from', momentText(start)),
    filterPart('to', momentText(end)),
  ];
  return inboxAddress(parts.join(' '));
}

function momentText(at: Date): string {
  return at.toISOString().replace('.000Z', 'Z');
}

/** Returns the first and the last day of a span in words. */
function spanName({ from, to }: Span): string {
  const day = (text: string) => dayName(new Date(`${text}T00:00:00Z`), 'UTC');
  return said.fromTo(day(from), day(addDays(to, -1)));
}
