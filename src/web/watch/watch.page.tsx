import type { FieldProblem } from '../../platform/kernel/errors.js';
import { WATCH_LEVELS, type WatchLevel } from '../../watch/rhythm/rhythm.js';
import type { WatchedDay } from '../../watch/watcher.js';
import { HOUR_MS } from '../../platform/kernel/time.js';
import { Mend, Sentence, sentenceOf, type FormWarning } from '../deliveries/warning.js';
import { FormHead, type FormShown } from '../form-head/form-head.js';
import { Shell } from '../layout/shell.js';
import { Notice, State, LevelCard, type IconName, Time, Table } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, Select } from '../parts/controls.js';
import { watchWords, Rhythm, Dot, lookOf, stateOf, type WatchShown } from './rhythm.js';
import type { FormCanary } from '../../canary/model/form-canary.entity.js';
import { SCHEDULES, type Step, type StepState } from '../../canary/model/step.js';

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
  const here = `/forms/${identifier}/watch`;
  return (
    <section id="canary">
      <h2>{said.title}</h2>
      <p class="hint">
        {said.hint} {said.unseen}
      </p>
      {!isRunning && <p class="hint">{said.isOff}</p>}
      <LastRun {...{ canary, isRunning, mayChange }} />
      {mayChange && (
        <>
          <ActionForm action={`${here}/check`}>
            <Actions>
              <Button kind="plain" icon="refresh-cw">
                {said.run}
              </Button>
              <span class="hint">{said.runHint}</span>
            </Actions>
          </ActionForm>
          <ActionForm action={`${here}/canary`} problems={problems}>
            <Select
              name="canary.schedule"
              label={said.schedule}
              value={typed.schedule}
              options={SCHEDULES.map((value) => ({ value, label: said.schedules[value] }))}
            />
            <Field
              {...{ name: 'canary.page', label: said.page, hint: said.pageHint, problems }}
              {...{ value: typed.page, type: 'url', inputmode: 'url', autocomplete: 'off' }}
            />
            <Actions>
              <Button kind="plain">{said.save}</Button>
            </Actions>
          </ActionForm>
        </>
      )}
    </section>
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
          <dd>{ranAt ? <Time at={ranAt} /> : said.never}</dd>
        </div>
        <div>
          <dt>{said.next}</dt>
          <dd>{isRunning && nextRunAt ? <Time at={nextRunAt} /> : said.noNext}</dd>
        </div>
        {failedSince && (
          <div>
            <dt>{said.failing}</dt>
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
              <dt>{said.pageShown}</dt>
              <dd>{page ?? said.pageNone}</dd>
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
    <Table class="steps" caption={said.last} head={[said.step, said.state, said.detail]}>
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

interface WatchPageProps {
  form: FormShown;
  watch: WatchShown;
  days: readonly WatchedDay[];
  /** Whether the form takes no submissions. */
  isShut: boolean;
  /** Reasons for a look at it; none for who is not told of them. */
  warnings: FormWarning[];
  /** Null for who may not see settings. */
  canary: CanarySectionProps | null;
  /** Problems of the level. */
  problems: FieldProblem[];
  now: Date;
}

/** Draws how a form fares: in a sentence, by its rhythm, and by its canary; and how soon its silence is told. */
export function WatchPage(props: WatchPageProps) {
  const { form, watch, days, warnings, canary } = props;
  const { identifier, mayChange } = form;
  return (
    <Shell title={watchWords.of(form.name)} section="forms">
      <FormHead form={form} tab="activity" part="watch" />
      <Fares {...props} />
      {warnings
        .filter(({ code }) => !SAID_FIRST.has(code))
        .map((warning) => (
          <Notice kind="warn">
            <p>
              <Sentence text={sentenceOf(warning)} />
            </p>
            {!LEADING_HERE.has(warning.code) && (
              <Mend {...{ code: warning.code, identifier, mayChange }} />
            )}
          </Notice>
        ))}
      <Rhythm days={days} />
      <Level level={watch.level} {...{ identifier, mayChange, problems: props.problems }} />
      {canary && <CanarySection {...canary} {...{ identifier, mayChange }} />}
    </Shell>
  );
}

function Fares(props: Pick<WatchPageProps, 'form' | 'watch' | 'isShut' | 'now'>) {
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
      {state === 'never_connected' && form.mayChange && (
        <Mend code={state} identifier={form.identifier} mayChange />
      )}
    </>
  );
}

function textOf({ watch, isShut, now }: Pick<WatchPageProps, 'watch' | 'isShut' | 'now'>): string {
  const { lastAt, silentFrom, level } = watch;
  const { fares } = watchWords;
  const ago = lastAt && watchWords.ago(Math.floor((now.getTime() - lastAt.getTime()) / HOUR_MS));
  switch (stateOf(watch)) {
    case 'off':
      if (level === 'off') return fares.offText;
      return isShut ? fares.shutText : fares.soonText;
    case 'never_connected':
      return fares.neverText;
    case 'alive':
      return fares.aliveText(ago ?? '', silentFrom?.toISOString() ?? null);
    case 'silent':
      return fares.silentText(ago ?? '', lastAt?.toISOString() ?? '');
    default:
      return fares.learningText + (ago === null ? '' : fares.lastText(ago));
  }
}

function Level(props: {
  level: WatchLevel;
  identifier: string;
  mayChange: boolean;
  problems: FieldProblem[];
}) {
  const { level, identifier, mayChange, problems } = props;
  const { title, hint, save, levels } = watchWords.level;
  return (
    <section>
      <h2>{title}</h2>
      <p class="hint">{hint}</p>
      {mayChange ? (
        <ActionForm
          action={`/forms/${identifier}/watch`}
          problems={problems}
          class="levels"
          submit={save}
        >
          <fieldset>
            <legend class="unseen">{title}</legend>
            {WATCH_LEVELS.map((each) => (
              <LevelCard value={each} isChosen={each === level} said={levels[each]} />
            ))}
          </fieldset>
        </ActionForm>
      ) : (
        <p>
          <strong>{levels[level].name}.</strong> {levels[level].hint}
        </p>
      )}
    </section>
  );
}
