import type { FieldProblem } from '../../platform/kernel/errors.js';
import { WATCH_LEVELS, type WatchLevel } from '../../watch/rhythm/levels.js';
import type { WatchedDay } from '../../watch/watch.service.js';
import { HOUR_MS } from '../../platform/kernel/time/durations.js';
import { Mend, Sentence, sentenceOf, type FormWarning } from '../deliveries/warning.js';
import { FormHead } from '../form-head/form-head.js';
import type { FormShown } from '../form-head/form-heads.js';
import { Shell } from '../layout/shell.js';
import { Notice } from '../parts/content.js';
import { ActionForm, Actions, Button } from '../parts/controls.js';
import { LevelCard } from '../parts/level-card.js';
import { watchWords } from './words.js';
import { CanarySection, type CanarySectionProps } from './canary-section.js';
import { Rhythm } from './rhythm.js';
import { Dot, lookOf, stateOf, type WatchShown } from './state-dot.js';

/** Warnings that the first sentence of the page says. */
const SAID_FIRST: ReadonlySet<string> = new Set(['form_silent', 'never_connected']);
/** Warnings that lead to this page: their details are below. */
const LEADING_HERE: ReadonlySet<string> = new Set(['page_broken', 'canary_failing']);

export interface WatchPageProps {
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
      <FormHead form={form} tab="watch" />
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
        <ActionForm action={`/forms/${identifier}/watch`} problems={problems} class="levels">
          <fieldset>
            <legend class="unseen">{title}</legend>
            {WATCH_LEVELS.map((each) => (
              <LevelCard value={each} isChosen={each === level} said={levels[each]} />
            ))}
          </fieldset>
          <Actions>
            <Button>{save}</Button>
          </Actions>
        </ActionForm>
      ) : (
        <p>
          <strong>{levels[level].name}.</strong> {levels[level].hint}
        </p>
      )}
    </section>
  );
}
