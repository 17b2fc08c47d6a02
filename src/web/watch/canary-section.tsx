import type { FormCanary } from '../../canary/model/form-canary.entity.js';
import { SCHEDULES } from '../../canary/model/schedule.js';
import type { Step, StepState } from '../../canary/model/step.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { State } from '../parts/content.js';
import { ActionForm, Actions, Button, Field, Select } from '../parts/controls.js';
import type { IconName } from '../parts/icon.js';
import { Time } from '../parts/time.js';
import { watchWords } from './words.js';

const { canary: said } = watchWords;

const KINDS = { ok: 'good', failed: 'bad', skipped: 'quiet', unseen: 'quiet' } as const;
const ICONS: Partial<Record<StepState, IconName>> = { skipped: 'ellipsis', unseen: 'eye' };

/** The settings of a canary as their inputs show them. */
export interface CanaryTyped {
  schedule: string;
  page: string;
}

export interface CanarySectionProps {
  canary: Pick<FormCanary, 'schedule' | 'page' | 'nextRunAt' | 'ranAt' | 'failedSince' | 'steps'>;
  /** Whether it runs by its schedule. */
  isRunning: boolean;
  typed: CanaryTyped;
  problems: FieldProblem[];
}

/** Draws when a canary runs, how its last run ended, and a button that runs it. */
export function CanarySection(
  props: CanarySectionProps & { identifier: string; mayChange: boolean },
) {
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
    <table class="steps">
      <caption>{said.last}</caption>
      <thead>
        <tr>
          <th scope="col">{said.step}</th>
          <th scope="col">{said.state}</th>
          <th scope="col">{said.detail}</th>
        </tr>
      </thead>
      <tbody>
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
      </tbody>
    </table>
  );
}
