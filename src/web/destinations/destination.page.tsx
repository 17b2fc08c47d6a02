import { kindOf, type KindName } from '../../destinations/kinds/kinds.js';
import { fieldLabel } from '../../forms/model/field-labels.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { Field, Select, ActionForm, Actions, Button, Check } from '../parts/controls.js';
import { Icon, Notice, Time } from '../parts/content.js';
import { destinationWords, Around, type HomeShown } from './destinations.page.js';
import { webhookWords, Calls, type CallsProps } from '../webhooks/webhook-calls.js';
import { type DestinationTyped, A_FIELD, NO_CONDITION, type ConditionTyped } from './typed.js';
import { Test, type TestShown } from '../deliveries/webhook-test.js';
import { DestinationPreview } from '../previews/mail-frame.page.js';
import { Confirm } from '../parts/typed.js';
import { FACTS, MATCHINGS, OPERATION_NAMES } from '../../destinations/model/condition.js';

interface SettingsProps {
  kind: KindName;
  typed: DestinationTyped;
  /** Settings as they are shown; secrets are cut. Null for a destination that is not stored yet. */
  stored: { settings: Readonly<Record<string, string>> } | null;
  problems: FieldProblem[];
}

/** Settings that few need, in folds. */
const FOLDS: Partial<Record<KindName, Record<keyof typeof destinationWords.folds, string[]>>> = {
  email: {
    recipients: ['cc', 'bcc', 'route_field', 'routes'],
    text: ['reply_to', 'subject', 'body', 'files'],
  },
};

/** Returns what a field of a destination is called on its page. */
export function labelOfField(field: string): string {
  return destinationWords.settings[field.replace('destination.settings.', '')] ?? fieldLabel(field);
}

/** Draws what a kind of destination needs. */
function Settings(props: SettingsProps) {
  const folds = Object.entries(FOLDS[props.kind] ?? {});
  const folded = new Set(folds.flatMap(([, names]) => names));
  const names = Object.keys(kindOf(props.kind).settings);
  return (
    <>
      {names
        .filter((name) => !folded.has(name))
        .map((name) => (
          <Setting {...props} name={name} />
        ))}
      {folds.map(([fold, within]) => (
        <details class="folded" open={within.some((name) => isInUse(props, name))}>
          <summary>
            <Icon name="chevron-right" />{' '}
            {destinationWords.folds[fold as keyof typeof destinationWords.folds]}
          </summary>
          {within.map((name) => (
            <Setting {...props} name={name} />
          ))}
        </details>
      ))}
    </>
  );
}

/** Tells whether a setting is not as it is by default, or has a problem to be seen. */
function isInUse({ kind, typed, problems }: SettingsProps, name: string): boolean {
  const [byDefault = ''] = kindOf(kind).settings[name]?.choices ?? [];
  const isRefused = problems.some(({ field }) => field === `destination.settings.${name}`);
  return isRefused || !['', byDefault].includes(typed.settings[name] ?? '');
}

function Setting(props: SettingsProps & { name: string }) {
  const { kind, name, typed, stored, problems } = props;
  const setting = kindOf(kind).settings[name];
  const label = destinationWords.settings[name] ?? name;
  const field = `destination.settings.${name}`;
  if (setting?.choices) {
    const [first = ''] = setting.choices;
    const options = setting.choices.map((value) => ({ value, label: labelOf(name, value) }));
    return <Select {...{ label, options }} name={field} value={typed.settings[name] ?? first} />;
  }
  const isStored = setting?.isSecret === true && stored?.settings[name] !== undefined;
  const hint = isStored
    ? `${stored.settings[name] ?? ''} ${destinationWords.keep}`
    : hintOf(kind, name);
  return (
    <Field
      {...{ label, problems, name: field, autocomplete: 'off' }}
      {...(hint !== undefined && { hint })}
      value={typed.settings[name]}
      rows={setting?.isLong ? 6 : 1}
    />
  );
}

function hintOf(kind: KindName, name: string): string | undefined {
  return destinationWords.hints[`${kind}.${name}`];
}

/** Returns what a choice of a setting is called; the webhook of a form has the same ones. */
function labelOf(name: string, value: string): string {
  const { formats, signatures } = webhookWords;
  const known: Readonly<Record<string, string>> =
    name === 'format' ? formats : name === 'signature' ? signatures : destinationWords.choices;
  return known[value] ?? value;
}

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
