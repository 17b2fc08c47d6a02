import type { KindName } from '../../destinations/kinds/kinds.js';
import { Test, type TestShown } from '../deliveries/webhook-test.js';
import { DestinationPreview } from '../previews/preview.js';
import { Confirm } from '../parts/confirm.js';
import { Notice } from '../parts/content.js';
import { ActionForm, Actions, Button, Check, Field, Select } from '../parts/controls.js';
import { Time } from '../parts/time.js';
import { Calls, type CallsProps } from '../webhooks/webhook-calls.js';
import { destinationWords } from './words.js';
import { Around, type HomeShown } from './around.js';
import { labelOfField, Settings } from './settings.js';
import { FACTS, MATCHINGS, OPERATION_NAMES } from '../../destinations/model/condition.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { A_FIELD, NO_CONDITION, type ConditionTyped, type DestinationTyped } from './typed.js';

/** Facts of a stored destination, besides what its inputs show. */
export interface StoredShown {
  /** Its settings as they are shown; secrets are cut. */
  settings: Readonly<Record<string, string>>;
  pausedAt: Date | null;
  isGivenUp: boolean;
  failingSince: Date | null;
  isReadable: boolean;
  test: TestShown | null;
  calls: Omit<CallsProps, 'here'>;
}

interface DestinationPageProps extends ConditionsProps {
  home: HomeShown;
  kind: KindName;
  /** Address of the page; that of the list for a new one. */
  here: string;
  /** Null for one that is not stored yet. */
  stored: StoredShown | null;
  /** A signing secret that was just made; null without. */
  madeSecret: string | null;
}

/** Draws a destination: its settings, its conditions, and of a stored one its state, a test and what it was sent. */
export function DestinationPage(props: DestinationPageProps) {
  const { home, kind, here, stored, typed } = props;
  const { label } = destinationWords.kinds[kind];
  const title = stored ? typed.name : label;
  return (
    <Around {...{ home, title }}>
      <p class="hint">{destinationWords.kinds[kind].hint}</p>
      {props.madeSecret !== null && (
        <Notice kind="good">
          <p>{destinationWords.madeSecret}</p>
          <pre tabindex={0}>{props.madeSecret}</pre>
        </Notice>
      )}
      {stored && <Standing {...stored} here={here} />}
      <div class="sections">
        <section>
          <Inputs {...props} />
        </section>
        {stored && (
          <>
            <Test test={stored.test} here={here} hint={destinationWords.testHint} />
            <Calls
              {...stored.calls}
              {...{ here, title: destinationWords.sent, empty: destinationWords.noCalls }}
            />
            <div class="actions">
              <ActionForm action={`${here}/retry`}>
                <Button kind="plain" icon="rotate-ccw">
                  {destinationWords.retry}
                </Button>
              </ActionForm>
              {stored.pausedAt === null && (
                <ActionForm action={`${here}/pause`}>
                  <Button kind="plain">{destinationWords.pause}</Button>
                </ActionForm>
              )}
              <Confirm
                action={`${here}/delete`}
                label={destinationWords.delete}
                question={destinationWords.deleteQuestion}
                go={destinationWords.deleteGo}
                icon="trash-2"
              />
            </div>
          </>
        )}
      </div>
    </Around>
  );
}

/** Says whether anything is sent there, and why not. */
function Standing({
  here,
  pausedAt,
  isGivenUp,
  failingSince,
  isReadable,
}: StoredShown & { here: string }) {
  if (!isReadable) {
    return (
      <Notice kind="bad">
        <p>{destinationWords.unreadable}</p>
      </Notice>
    );
  }
  if (pausedAt !== null) {
    return (
      <Notice kind="warn">
        <p>
          {isGivenUp ? destinationWords.gaveUp : destinationWords.pausedSince}{' '}
          <Time at={pausedAt} />.
        </p>
        <ActionForm action={`${here}/resume`}>
          <Check name="resend" label={destinationWords.resend} checked />
          <Actions>
            <Button kind="plain">{destinationWords.resume}</Button>
          </Actions>
        </ActionForm>
      </Notice>
    );
  }
  if (failingSince === null) return null;
  return (
    <Notice kind="warn">
      <p>
        {destinationWords.failingSince} <Time at={failingSince} />.
      </p>
    </Notice>
  );
}

function Inputs({
  kind,
  here,
  home,
  typed,
  stored,
  fields,
  trial,
  mayAdd,
  problems,
}: DestinationPageProps) {
  return (
    <ActionForm action={here} problems={problems} labelOf={labelOfField}>
      {!stored && <input type="hidden" name="kind" value={kind} />}
      <Field
        name="destination.name"
        label={destinationWords.name}
        hint={destinationWords.nameHint}
        value={typed.name}
        problems={problems}
        maxlength={100}
        autocomplete="off"
      />
      <Settings {...{ kind, typed, stored, problems }} />
      {kind === 'email' && home.form && <DestinationPreview identifier={home.form.identifier} />}
      <Conditions {...{ typed, fields, trial, mayAdd, problems }} />
      <Actions>
        <Button>{stored ? destinationWords.save : destinationWords.create}</Button>
        <Button kind="plain" action={stored ? `${here}/try` : home.newAt}>
          {destinationWords.try}
        </Button>
      </Actions>
    </ActionForm>
  );
}

interface ConditionsProps {
  typed: DestinationTyped;
  /** Names of the fields that came lately. */
  fields: readonly string[];
  /** How its conditions did; null unless they were tried. */
  trial: { tried: number; taken: number } | null;
  /** Whether there is room for another condition. */
  mayAdd: boolean;
  problems: FieldProblem[];
}

/** Draws the conditions of a destination, and how they did if they were tried. */
function Conditions({ typed, fields, trial, mayAdd, problems }: ConditionsProps) {
  const conditions = mayAdd ? [...typed.conditions, NO_CONDITION] : typed.conditions;
  return (
    <fieldset>
      <legend>{destinationWords.conditions}</legend>
      <p class="hint">{destinationWords.conditionsHint}</p>
      {fields.length > 0 && <p class="hint">{destinationWords.fieldsSeen(fields.join(', '))}</p>}
      <Select
        name="destination.match"
        label={destinationWords.match}
        value={typed.match}
        options={MATCHINGS.map((value) => ({ value, label: destinationWords.matches[value] }))}
      />
      {conditions.map((condition, at) => (
        <ConditionRow {...{ condition, problems }} prefix={`destination.conditions.${at}.`} />
      ))}
      <p class="hint">{destinationWords.valueHint}</p>
      {trial && (
        <p role="status" class="notice">
          {destinationWords.tried(trial.taken, trial.tried)}
        </p>
      )}
    </fieldset>
  );
}

function ConditionRow(props: {
  condition: ConditionTyped;
  prefix: string;
  problems: FieldProblem[];
}) {
  const { condition, prefix, problems } = props;
  const about = FACTS.map((value) => ({ value: value, label: destinationWords.facts[value] }));
  return (
    <div class="pair quarters">
      <Select
        name={`${prefix}about`}
        label={destinationWords.about}
        value={condition.about}
        options={[{ value: A_FIELD, label: destinationWords.aField }, ...about]}
      />
      <Field
        name={`${prefix}field`}
        label={destinationWords.field}
        value={condition.field}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
      <Select
        name={`${prefix}op`}
        label={destinationWords.op}
        value={condition.op}
        options={OPERATION_NAMES.map((value) => ({ value, label: destinationWords.ops[value] }))}
      />
      <Field
        name={`${prefix}value`}
        label={destinationWords.value}
        value={condition.value}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
    </div>
  );
}
