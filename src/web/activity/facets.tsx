import type { FieldTop, Top, TopValue } from '../../statistics/facets.service.js';
import { inboxAddress } from '../addresses/folders.js';
import { Fold, countryName, Table, textOf, type Typed } from '../parts/index.js';
import { addDays, dayAt, daysBetween, parseDay, type FieldProblem } from '../../platform/index.js';
import { STEPS, type Span, type Step } from '../../statistics/span.js';

/** Words of statistics. */
export const statisticsWords = {
  title: 'Statistics',
  usual: 'Usual',
  /** Says how many whole days were not as usual. */
  unusual: (below: number, above: number) => {
    const said = [...(below > 0 ? [`${below} below`] : []), ...(above > 0 ? [`${above} above`] : [])];
    return said.length === 0
      ? 'All full days were within the usual range.'
      : `Days outside the usual range: ${said.join(', ')}.`;
  },
  span: { '7d': '7 days', '30d': '30 days', '90d': '90 days', '12m': '12 months' },
  steps: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
  columns: { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' },
  submissions: 'Submissions',
  most: { hour: 'Busiest hour', day: 'Busiest day', week: 'Busiest week', month: 'Busiest month' },
  notADay: 'must be a date, such as 2030-01-31',
  wrongOrder: 'must not be before the start date',
  fromTo: (from: string, to: string) => (from === to ? from : `${from} – ${to}`),
  before: (days: number) => (days === 1 ? 'the previous day' : `the previous ${days} days`),
  bar: (when: string, parts: string[]) => `${when}: ${parts.join(', ')}`,
  said: {
    submissions: (count: number) => (count === 1 ? '1 submission' : `${count} submissions`),
    spam: (count: number) => `${count} spam`,
    delivered: (count: number) => `${count} delivered`,
    late: (count: number) => `${count} late`,
    failed: (count: number) => `${count} failed`,
  },
  asTable: 'Show as table',
  share: 'Share',
} as const;

/** Facets of the submissions of a span. */
export interface FacetsShown {
  pages: Top;
  origins: Top;
  countries: Top;
  /** Empty for all forms. */
  fields: readonly FieldTop[];
  /** Whether to say how countries come to be shown. */
  tellsOfCountries: boolean;
}

/**
 * Draws bars for pages, origins, countries and values, each a link to its list.
 * @param props.labelOf what the owner calls a field
 */
export function Facets(props: FacetsShown & { labelOf: (field: string) => string }) {
  const { pages, origins, countries, fields, tellsOfCountries, labelOf } = props;
  const [site] = origins.values;
  // A single site, or none that is known, says no more than the pages do.
  const isOneSite = origins.values.length === 1 && origins.other === 0 && pages.values.length > 0;
  const pagesHint =
    isOneSite && site?.value
      ? `Submissions without spam, by the page of ${site.value} they came from. Query strings are left out.`
      : 'Submissions without spam, by the page they came from. Query strings are left out.';
  const panels = [
    <Panel
      {...{ top: pages, title: 'Pages', column: 'Page', hint: pagesHint }}
      nameOf={(value) => (value === '' ? 'Direct or unknown' : value)}
    />,
    !isOneSite && (
      <Panel
        top={origins}
        title="Sites"
        column="Site"
        hint="Submissions without spam, by the site they came from."
        nameOf={(value) => (value === '' ? 'Direct or unknown' : value)}
      />
    ),
    <Panel
      top={countries}
      title="Countries"
      column="Country"
      hint="Submissions without spam, by the country your proxy reports."
      nameOf={countryName}
    />,
    ...fields.map((field) => (
      <Panel
        top={field}
        title={labelOf(field.field)}
        column="Value"
        hint="Submissions without spam. A value is listed once it was sent three times. A submission with several values counts for each."
        rest="Other, or sent only once or twice"
        nameOf={(value) => value}
      />
    )),
  ];
  const isWithout = countries.values.length === 0 && tellsOfCountries;
  return (
    <>
      <div class="facets">{panels}</div>
      {isWithout && (
        <p class="hint">To see countries, set COUNTRY_HEADER to the header in which your proxy reports them.</p>
      )}
    </>
  );
}

interface PanelProps {
  top: Top;
  title: string;
  /** Heading of the column of names. */
  column: string;
  hint: string;
  nameOf: (value: string) => string;
  /** Label of all others. */
  rest?: string;
}

function Panel(props: PanelProps) {
  const { top, title, hint } = props;
  const rows = rowsOf(props);
  if (top.values.length === 0) return null;
  return (
    <section class="panel">
      <div class="body">
        <h2 dir="auto">{title}</h2>
        <ol class="bars">
          {rows.map((row) => (
            <li>
              <Bar {...row} most={Math.max(...rows.map(({ submissions }) => submissions))} />
            </li>
          ))}
        </ol>
        <p class="hint">{hint}</p>
        <Fold title={statisticsWords.asTable}>
          <Counts {...props} rows={rows} />
        </Fold>
      </div>
    </section>
  );
}

/** A bar, with what it is called. */
interface Row extends Pick<TopValue, 'submissions' | 'line'> {
  name: string;
  isRest: boolean;
}

function rowsOf({ top, nameOf, rest = 'Other' }: PanelProps): Row[] {
  const { values, other } = top;
  const named = values.map(({ value, submissions, line }) => ({
    ...{ name: nameOf(value), submissions, line, isRest: false },
  }));
  if (other === 0) return named;
  return [...named, { name: rest, submissions: other, line: null, isRest: true }];
}

function Bar({ name, submissions, line, isRest, most }: Row & { most: number }) {
  const drawn = (
    <>
      <span class="what" dir="auto">
        {name}
      </span>
      <span class="number">{submissions.toLocaleString('en')}</span>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect class="ground" width="100" height="1" />
        <rect width={Math.max((submissions / most) * 100, 0.5).toFixed(1)} height="1" />
      </svg>
    </>
  );
  if (line === null) return <div class={isRest ? 'rest' : undefined}>{drawn}</div>;
  return <a href={inboxAddress(line)}>{drawn}</a>;
}

function Counts({ title, column, rows }: PanelProps & { rows: readonly Row[] }) {
  const sum = rows.reduce((all, { submissions }) => all + submissions, 0);
  return (
    <Table
      panel="counts"
      caption={<span dir="auto">{title}</span>}
      head={[column, { number: statisticsWords.submissions }, { number: statisticsWords.share }]}
    >
      {rows.map(({ name, submissions }) => (
        <tr>
          <th scope="row" dir="auto">
            {name}
          </th>
          <td class="number" data-label={statisticsWords.submissions}>
            {submissions.toLocaleString('en')}
          </td>
          <td class="number" data-label={statisticsWords.share}>
            {Math.round((submissions / sum) * 100)}%
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Spans that end today, by their name in the address. */
export const SPANS = ['7d', '30d', '90d', '12m'] as const;
type SpanName = (typeof SPANS)[number];

const SPAN_BY_DEFAULT: SpanName = '30d';
/** Length of a bar in each span, so that a chart has few enough. */
const STEP_OF: Record<SpanName, Step> = { '7d': 'day', '30d': 'day', '90d': 'week', '12m': 'month' };

/** Filter of the statistics page, as its address has it. */
export interface StatisticsAsk {
  /** Null when the days are chosen by hand. */
  name: SpanName | null;
  /** First day, as it was typed. */
  from: string;
  /** Last day, as it was typed. */
  to: string;
  by: Step;
  /** Whether imported submissions are left out. */
  withoutImports: boolean;
  problems: FieldProblem[];
}

/**
 * Reads an address.
 * @param zone of the person who looks
 */
export function askOf(query: Typed, zone: string, now: Date): StatisticsAsk {
  const today = dayAt(now, zone);
  const from = textOf(query, 'from').trim();
  const to = textOf(query, 'to').trim();
  const step = STEPS.find((each) => each === textOf(query, 'by'));
  const withoutImports = textOf(query, 'imports') === 'off';
  if (from !== '' || to !== '') {
    const ask = { name: null, from, to: to === '' ? today : to, by: step ?? 'day' };
    return { ...ask, withoutImports, problems: problemsOf(ask) };
  }
  const name = SPANS.find((each) => each === textOf(query, 'span')) ?? SPAN_BY_DEFAULT;
  const by = step ?? STEP_OF[name];
  return { name, from: firstOf(name, today), to: today, by, withoutImports, problems: [] };
}

/** Returns the span of days that can be read; the usual one in place of those that cannot. */
export function spanOf({ from, to, by, problems }: StatisticsAsk, zone: string, now: Date): Span {
  if (problems.length === 0) return { from, to: addDays(to, 1), by, zone };
  const today = dayAt(now, zone);
  return { from: firstOf(SPAN_BY_DEFAULT, today), to: addDays(today, 1), by: 'day', zone };
}

function problemsOf({ from, to }: { from: string; to: string }): FieldProblem[] {
  const { notADay, wrongOrder } = statisticsWords;
  const problems = Object.entries({ from, to })
    .filter(([, day]) => parseDay(day) === null)
    .map(([field]) => ({ field, code: 'wrong_date', message: notADay }));
  if (problems.length > 0 || daysBetween(from, to) >= 0) return problems;
  return [{ field: 'to', code: 'span_empty', message: wrongOrder }];
}

/** Returns the first day of a span. Twelve months begin with the first of one, so that only the last bar is not full. */
function firstOf(name: SpanName, today: string) {
  if (name !== '12m') return addDays(today, 1 - Number(name.slice(0, -1)));
  const [year = 0, month = 0] = today.split('-').map(Number);
  return new Date(Date.UTC(year, month - 12, 1)).toISOString().slice(0, 10);
}

const HEIGHT = 28;
/** Width of a bar with the gap behind it, and of the bar alone. */
const STEP = 4;
const BAR = 3;

/** Draws the submissions of each of the last days in a line of bars, the highest as high as the line. */
export function Spark({ days }: { days: readonly number[] }) {
  const most = Math.max(...days, 0);
  const sum = days.reduce((all, each) => all + each, 0);
  const width = days.length * STEP;
  const bars = days.map((count, index) => {
    if (count <= 0) return '';
    const height = Math.max(Math.round((count / most) * HEIGHT), 2);
    return `M${index * STEP} ${HEIGHT}v-${height}h${BAR}v${height}z`;
  });
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${width} ${HEIGHT}`}
      role="img"
      aria-label={sum === 0 ? `None in ${days.length} days` : `${sum} in ${days.length} days, at most ${most} a day`}
    >
      <path class="none" d={`M0 ${HEIGHT - 1}h${width - STEP + BAR}v1h-${width - STEP + BAR}z`} />
      {sum > 0 && <path d={bars.join('')} />}
    </svg>
  );
}
