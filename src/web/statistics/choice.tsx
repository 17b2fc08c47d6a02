import { daysBetween } from '../../platform/kernel/time/days.js';
import { STEPS, type Span, type Step } from '../../statistics/span.js';
import { Button, Field } from '../parts/controls.js';
import { Icon } from '../parts/icon.js';
import { statisticsWords } from './words.js';
import { SPANS, type StatisticsAsk } from './statistics-ask.js';

/** Bars that are offered, at most: more are too thin to see. */
const BARS_MAX = 200;
/** Bars in a day. */
const PER_DAY: Record<Step, number> = { hour: 24, day: 1, week: 1 / 7, month: 1 / 30 };

/**
 * Draws the spans that end today, what a bar may be, and days to choose by hand. All of it is in the address.
 * @param props.address of the page
 */
export function Choice(props: { ask: StatisticsAsk; span: Span; address: string }) {
  const { ask, span, address } = props;
  const days = daysBetween(span.from, span.to);
  const isUseful = (step: Step) => days * PER_DAY[step] >= 1 && days * PER_DAY[step] <= BARS_MAX;
  return (
    <div class="choice">
      <nav class="parts" aria-label={statisticsWords.spans}>
        {SPANS.map((name) => (
          <a href={`${address}?span=${name}`} aria-current={ask.name === name ? 'page' : undefined}>
            {statisticsWords.span[name]}
          </a>
        ))}
      </nav>
      <nav class="parts" aria-label={statisticsWords.by}>
        {STEPS.filter((step) => step === span.by || isUseful(step)).map((step) => (
          <a
            href={`${address}?${queryOf(ask)}&by=${step}`}
            aria-current={step === span.by ? 'page' : undefined}
          >
            {statisticsWords.steps[step]}
          </a>
        ))}
      </nav>
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
      <summary>{statisticsWords.days}</summary>
      <form class="filter" action={address}>
        <Field
          name="from"
          label={statisticsWords.from}
          type="date"
          value={ask.from}
          problems={problems}
        />
        <Field
          name="to"
          label={statisticsWords.to}
          type="date"
          value={ask.to}
          problems={problems}
        />
        <input type="hidden" name="by" value={ask.by} />
        <Button kind="plain">{statisticsWords.show}</Button>
        {isTooFine && (
          <p class="problem" id="f-by-problem" role="alert">
            <Icon name="circle-x" /> {statisticsWords.tooFine}
          </p>
        )}
      </form>
    </details>
  );
}

function queryOf({ name, from, to }: StatisticsAsk): string {
  return new URLSearchParams(name === null ? { from, to } : { span: name }).toString();
}
