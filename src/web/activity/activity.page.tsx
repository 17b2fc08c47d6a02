import {
  LevelCard,
  State,
  type IconName,
  Time,
  Table,
  Section,
  ActionForm,
  Actions,
  Button,
  Field,
  Select,
} from '../parts/index.js';
import { type FieldProblem, dayAt, HOUR_MS } from '../../platform/index.js';
import { WATCH_LEVELS, type WatchLevel } from '../../health/watch/rhythm.js';
import type { WatchedDay } from '../../health/watch/watcher.js';
import { FindingNotice, Mend, Sentence, type FindingShown } from '../deliveries/warning.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { fieldLabel } from '../../forms/model/field.js';
import type { FormRefusals } from '../../health/watch/refusals.service.js';
import { watchWords, Dot, lookOf, stateOf, type WatchShown } from './monitoring.js';
import { statisticsWords } from './facets.js';
import type { Visits } from '../../statistics/visits.service.js';
import { VisitsSection } from './visits.js';
import { Charts, type StatisticsPageProps } from './statistics.page.js';
import type { FormCanary } from '../../health/canary/form-canary.entity.js';
import { type Step, type StepState } from '../../health/canary/step.js';

const { canary: said } = watchWords;

const KINDS = { ok: 'good', failed: 'bad', skipped: 'quiet', unseen: 'quiet' } as const;
const ICONS: Partial<Record<StepState, IconName>> = { skipped: 'ellipsis', unseen: 'eye' };

/** The settings of a canary as their inputs show them. */
export interface CanaryTyped {
  schedule: string;
  page: string;
}

interface CanarySectionProps {
  canary: Pick<FormCanary, 'schedule' | 'page' | 'nextRunAt' | 'ranAt' | 'failedSince' | 'steps'>;
  /** Whether it runs by its schedule. */
  isRunning: boolean;
  typed: CanaryTyped;
  problems: FieldProblem[];
}

/** Draws when a canary runs, how its last run ended, and a button that runs it. */
function CanarySection(props: CanarySectionProps & { identifier: string; mayChange: boolean }) {
  const { canary, isRunning, typed, problems, identifier, mayChange } = props;
  const here = `/forms/${identifier}/activity`;
  return (
    <Section
      id="canary"
      title="Page check"
      hint="We load your page, check that its form points here, and send a test submission. Nobody is notified and it is not counted. It does not detect failing scripts, a broken captcha, or what a visitor’s browser blocks."
    >
      {!isRunning && <p class="hint">On this service, checks run only on request.</p>}
      <LastRun {...{ canary, isRunning, mayChange }} />
      {mayChange && (
        <>
          <ActionForm action={`${here}/check`}>
            <Actions>
              <Button kind="plain" icon="refresh-cw">
                Check now
              </Button>
              <span class="hint">Takes up to a minute.</span>
            </Actions>
          </ActionForm>
          <ActionForm action={`${here}/canary`} problems={problems} submit="Save" kind="plain">
            <Select name="canary.schedule" label={said.schedule} value={typed.schedule} options={said.schedules} />
            <Field
              name="canary.page"
              label="Address of the page (optional)"
              hint="Leave empty to use the page of the most recent submissions."
              {...{ value: typed.page, type: 'url', inputmode: 'url', autocomplete: 'off' }}
            />
          </ActionForm>
        </>
      )}
    </Section>
  );
}

function LastRun({
  canary,
  isRunning,
  mayChange,
}: Pick<CanarySectionProps, 'canary' | 'isRunning'> & { mayChange: boolean }) {
  const { schedule, page, ranAt, nextRunAt, failedSince, steps } = canary;
  return (
    <div class="panel">
      <dl class="body pairs">
        <div>
          <dt>{said.last}</dt>
          <dd>{ranAt ? <Time at={ranAt} /> : 'Never'}</dd>
        </div>
        <div>
          <dt>Next check</dt>
          <dd>{isRunning && nextRunAt ? <Time at={nextRunAt} /> : 'None'}</dd>
        </div>
        {failedSince && (
          <div>
            <dt>Failing since</dt>
            <dd>
              <Time at={failedSince} />
            </dd>
          </div>
        )}
        {!mayChange && (
          <>
            <div>
              <dt>{said.schedule}</dt>
              <dd>{said.schedules[schedule]}</dd>
            </div>
            <div>
              <dt>Page</dt>
              <dd>{page ?? 'Page of the newest submission'}</dd>
            </div>
          </>
        )}
      </dl>
      {steps.length > 0 && <Steps steps={steps} />}
    </div>
  );
}

function Steps({ steps }: { steps: readonly Step[] }) {
  return (
    <Table isBare class="steps" caption={said.last} head={['Step', 'Result', 'Details']}>
      {steps.map(({ step, state, detail }) => (
        <tr>
          <th scope="row">{said.steps[step]}</th>
          <td>
            <State kind={KINDS[state]} icon={ICONS[state]}>
              {said.states[state]}
            </State>
          </td>
          <td class="wide" dir="auto">
            {detail}
          </td>
        </tr>
      ))}
    </Table>
  );
}

/** Warnings that the first sentence of the page says. */
const SAID_FIRST: ReadonlySet<string> = new Set(['form_silent', 'never_connected']);
/** Warnings that lead to this page: their details are below. */
const LEADING_HERE: ReadonlySet<string> = new Set(['page_broken', 'canary_failing']);

interface ActivityPageProps extends Omit<StatisticsPageProps, 'form' | 'usual' | 'said'> {
  form: FormShown;
  watch: WatchShown;
  /** Days of UTC with what was received, and what is usual then. */
  usual: readonly WatchedDay[];
  refusals: { days: number; all: FormRefusals };
  visits: Visits;
  /** Reasons for a look at it; none for who is not told of them. */
  findings: FindingShown[];
  /** Null for who may not see settings. */
  canary: CanarySectionProps | null;
  /** Problems of the level. */
  problems: FieldProblem[];
  now: Date;
}

/** Draws what a form received and refused, whether its page still sends here, and when to be alerted. */
export function ActivityPage(props: ActivityPageProps) {
  const { form, watch, usual, findings, canary, span, statistics, refusals } = props;
  const { identifier, mayChange } = form;
  const byDay = new Map(usual.map(({ day, expected }) => [day, expected]));
  const expected =
    span.by === 'day' ? statistics.buckets.map(({ start }) => byDay.get(dayAt(start, span.zone)) ?? null) : undefined;
  return (
    <FormShell form={form} title={activityWords} tab="activity">
      <Fares {...props} />
      {findings
        .filter(({ code }) => !SAID_FIRST.has(code))
        .map((finding) => (
          <FindingNotice finding={finding}>
            {!LEADING_HERE.has(finding.code) && <Mend {...{ code: finding.code, identifier, mayChange }} />}
          </FindingNotice>
        ))}
      <Charts {...props} usual={expected} said={expected ? unusual(usual, watch) : ''}>
        <Refusals {...refusals} labelOf={props.labelOf} />
        <VisitsSection {...props.visits} />
      </Charts>
      {canary && <CanarySection {...canary} {...{ identifier, mayChange }} />}
      <Level level={watch.level} {...{ identifier, mayChange, problems: props.problems }} />
    </FormShell>
  );
}

const activityWords = 'Activity';

/** Says how many days were not as usual, today left out, which has more to come; nothing where that is not known. */
function unusual(days: readonly WatchedDay[], watch: WatchShown) {
  const whole = days.slice(0, -1).filter(({ expected }) => expected !== null);
  if (whole.length === 0) return stateOf(watch) === 'learning' ? 'We show the usual range after three weeks.' : '';
  const below = whole.filter(({ received, expected }) => expected && received < expected.low);
  const above = whole.filter(({ received, expected }) => expected && received > expected.high);
  return statisticsWords.unusual(below.length, above.length);
}

/** Draws what a form refused, by reason and field, the most frequent first; nothing where it refused nothing. */
function Refusals(props: { days: number; all: FormRefusals; labelOf: (field: string) => string }) {
  const { days, all, labelOf } = props;
  const words = watchWords.refused;
  const sums = new Map<string, { code: string; field: string; amount: number }>();
  for (const { code, field, amount } of all) {
    const key = `${code} ${field}`;
    sums.set(key, { code, field, amount: amount + (sums.get(key)?.amount ?? 0) });
  }
  if (sums.size === 0) return null;
  return (
    <Section id="refused" title={words.title} hint={words.hint(days)}>
      <Table caption={words.title} head={[words.reason, words.field, { number: words.count }]}>
        {[...sums.values()]
          .sort((one, other) => other.amount - one.amount)
          .map(({ code, field, amount }) => (
            <tr>
              <th scope="row">{words.reasons[code] ?? fieldLabel(code)}</th>
              <td data-label={words.field} dir="auto">
                {field === '' ? '' : labelOf(field)}
              </td>
              <td class="number" data-label={words.count}>
                {amount.toLocaleString('en')}
              </td>
            </tr>
          ))}
      </Table>
    </Section>
  );
}

function Fares(props: Pick<ActivityPageProps, 'form' | 'watch' | 'now'>) {
  const { form, watch } = props;
  const state = stateOf(watch);
  return (
    <>
      <p class="fares">
        <Dot look={lookOf(watch)} />
        <span>
          <strong>{watchWords.fares[state]}.</strong> <Sentence text={textOf(props)} />
        </span>
      </p>
      {state === 'never_connected' && form.mayChange && <Mend code={state} identifier={form.identifier} mayChange />}
    </>
  );
}

function textOf({ form, watch, now }: Pick<ActivityPageProps, 'form' | 'watch' | 'now'>) {
  const { lastAt, silentFrom, level } = watch;
  const { fares } = watchWords;
  const ago = lastAt && watchWords.ago(Math.floor((now.getTime() - lastAt.getTime()) / HOUR_MS));
  switch (stateOf(watch)) {
    case 'off':
      if (level === 'off') return 'No alerts about missing submissions.';
      return form.shut !== null ? 'The form is closed, so it is not monitored.' : 'Monitoring starts in a few minutes.';
    case 'never_connected':
      return 'Add the form to your page and submit it once.';
    case 'alive':
      return fares.aliveText(ago ?? '', silentFrom?.toISOString() ?? null);
    case 'silent':
      return `No submissions since ${lastAt?.toISOString() ?? ''}, which is unusual for this form. Open its page and submit a test.`;
    default:
      return (
        'Alerts start after three weeks, once submissions were received in ten different hours.' +
        (ago === null ? '' : ` The last one was received ${ago}.`)
      );
  }
}

function Level(props: { level: WatchLevel; identifier: string; mayChange: boolean; problems: FieldProblem[] }) {
  const { level, identifier, mayChange, problems } = props;
  const { title, hint, save, levels } = watchWords.level;
  return (
    <Section id="alerts" title={title} hint={hint}>
      {mayChange ? (
        <ActionForm action={`/forms/${identifier}/activity`} problems={problems} class="levels" submit={save}>
          <fieldset>
            <legend class="unseen">{title}</legend>
            {WATCH_LEVELS.toReversed().map((each) => (
              <LevelCard value={each} isChosen={each === level} said={levels[each]} />
            ))}
          </fieldset>
        </ActionForm>
      ) : (
        <p>
          <strong>{levels[level].name}.</strong> {levels[level].hint}
        </p>
      )}
    </Section>
  );
}
