import { kindOf } from '../../destinations/kinds/kinds.js';
import {
  FACTS,
  MATCHINGS,
  OPERATION_NAMES,
  type Fact,
} from '../../destinations/model/condition.js';
import { settingsOf } from '../../destinations/model/kind-settings.js';
import { fieldLabel } from '../../forms/model/field-labels.js';
import type { VisitorAttachmentFacts } from '../../forms/model/form.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { Test, type TestShown } from '../deliveries/test-result.js';
import { Copyable, Icon, Notice, Time } from '../parts/content.js';
import {
  ActionForm,
  Actions,
  Button,
  Check,
  Field,
  LinkButton,
  Select,
} from '../parts/controls.js';
import { Confirm } from '../parts/typed.js';
import { MailPreview } from '../previews/mail-frame.page.js';
import {
  Around,
  DestinationList,
  destinationWords,
  type DestinationRow,
  type HomeShown,
} from './destinations.page.js';
import { Calls, type CallsProps } from './log.js';
import {
  A_FIELD,
  askedOf,
  fieldOf,
  NO_CONDITION,
  type ConditionTyped,
  type DestinationTyped,
  type Sort,
} from './typed.js';

/** Words of the page of a destination. */
const words = {
  name: 'Name',
  nameHint: 'For you, such as “Sales channel”.',
  on: { team: 'Email your team about each submission', visitor: 'Send the visitor an email' },
  keep: 'Stored. Type a new one to replace it.',
  conditions: 'Conditions',
  conditionsHint: 'Without conditions it gets everything except spam.',
  match: 'Send when',
  matches: { all: 'all conditions match', any: 'any condition matches' },
  about: 'Field',
  aField: 'Another field',
  field: 'Name of the field',
  op: 'Comparison',
  value: 'Value',
  valueHint: 'A language is a code such as de.',
  try: 'Try conditions',
  tried: (count: number, of: number) =>
    of === 0
      ? 'There are no submissions to try them on yet.'
      : `${count} of the last ${of} submissions would have gone here.`,
  create: 'Add destination',
  save: 'Save changes',
  pause: 'Pause',
  resume: 'Resume',
  resend: 'Send what it missed too',
  pausedSince: 'Paused since',
  gaveUp: 'Every call failed for five days, so we paused it. Since',
  failingSince: 'Every call has failed since',
  failingUntil: 'If none succeeds, we pause it on',
  unreadable:
    'Its secrets were sealed with another key, so nothing can be sent. Type them again, or ask the operator to restore SECRET_KEY.',
  madeSecret: 'Your signing secret. Copy it now, we don’t show it again:',
  sample: 'Sample of the body',
  sampleHint: 'In the saved format. A test sends this.',
  secret: 'Signing secret',
  secretHint:
    'Every call is signed with this secret, so your receiver can verify that it comes from here.',
  unsigned: 'Calls are not signed. Choose a signature to use this secret.',
  secretAsText: 'The key is this text, from the first letter to the last.',
  secretUse:
    'Signatures follow Standard Webhooks, in the headers webhook-id, webhook-timestamp and webhook-signature. Any library for it accepts this text.',
  secretShow: 'Show or renew the secret',
  secretRenew: 'Create a new secret',
  secretRenewHint:
    'For one day, calls are signed with both the new secret and this one. Update your receiver within that day.',
  secretRenewAtOnce:
    'Calls are signed with the new secret only, from now on. Update your receiver immediately.',
  secretRenewAgain: 'The secret before this one stops working immediately.',
  secretFormer: 'Old secret valid until',
  attachment: 'Attachment',
  noFile: 'No file is attached to emails to visitors.',
  file: (name: string, size: number) =>
    `Every email to a visitor has this file: ${name} (${byteSize(size)})`,
  chooseFile: 'File',
  chooseHint: 'Up to 2 MB, such as your terms.',
  upload: 'Attach file',
  removeFile: 'Remove file',
  delete: 'Delete',
  deleteQuestion: 'Delete this destination? What is still waiting is not sent.',
  deleteGo: 'Delete destination',
} as const;

/** Returns what a field of a destination is called on its page. */
export function labelOfField({ kind, role }: Sort): (field: string) => string {
  return (field) =>
    settingsOf(kind, role)[field.replace('destination.settings.', '')]?.label ?? fieldLabel(field);
}

interface SettingsProps extends Sort {
  typed: DestinationTyped;
  /** Settings as they are shown; secrets are cut. Null for a destination that is not stored yet. */
  stored: { settings: Readonly<Record<string, string>> } | null;
  problems: FieldProblem[];
}

/** Draws what a destination needs, with what few need in folds. */
function Settings(props: SettingsProps) {
  const settings = settingsOf(props.kind, props.role);
  const names = askedOf(props);
  const folds = [...new Set(names.map((name) => settings[name]?.fold))];
  return (
    <>
      {folds.map((fold) => {
        const within = names.filter((name) => settings[name]?.fold === fold);
        const inputs = within.map((name) => <Setting {...props} name={name} />);
        if (fold === undefined) return inputs;
        return (
          <details class="folded" open={within.some((name) => isInUse(props, name))}>
            <summary>
              <Icon name="chevron-right" /> {fold}
            </summary>
            {inputs}
          </details>
        );
      })}
    </>
  );
}

/** Tells whether a setting is not as it is by default, or has a problem to be seen. */
function isInUse({ kind, role, typed, problems }: SettingsProps, name: string): boolean {
  const [byDefault = ''] = Object.keys(settingsOf(kind, role)[name]?.choices ?? {});
  const isRefused = problems.some(({ field }) => field === `destination.settings.${name}`);
  return isRefused || !['', byDefault].includes(typed.settings[name] ?? '');
}

function Setting(props: SettingsProps & { name: string }) {
  const { kind, role, name, typed, stored, problems } = props;
  const { label = name, hint, choices, isSecret, isLong } = settingsOf(kind, role)[name] ?? {};
  const field = `destination.settings.${name}`;
  const value = typed.settings[name];
  if (choices && 'yes' in choices) {
    return (
      <Check
        {...{ name: field, label, value: 'yes', checked: value === 'yes' }}
        {...(hint && { hint })}
      />
    );
  }
  if (choices) {
    const options = Object.entries(choices).map(([each, said]) => ({ value: each, label: said }));
    return <Select {...{ label, options }} name={field} value={value ?? options[0]?.value ?? ''} />;
  }
  const isStored = isSecret === true && stored?.settings[name] !== undefined;
  return (
    <Field
      {...{ label, problems, value, name: field, autocomplete: 'off' }}
      hint={isStored ? `${stored.settings[name] ?? ''} ${words.keep}` : hint}
      rows={isLong ? 6 : 1}
    />
  );
}

/** Facts of a stored destination, besides what its inputs show. */
export interface StoredShown {
  /** Its settings as they are shown; secrets are cut. */
  settings: Readonly<Record<string, string>>;
  pausedAt: Date | null;
  isGivenUp: boolean;
  isOff: boolean;
  failingSince: Date | null;
  /** When it is paused if every call goes on failing. */
  failsUntil: Date | null;
  isReadable: boolean;
  /** Until when the previous secret signs too; null when it does not. */
  previousUntil: Date | null;
  /** The body that a test sends; null for what makes none to look at. */
  sample: string | null;
  /** The file that goes along; null for none. */
  attachment: VisitorAttachmentFacts | null;
  /** How the test that was just made ended. */
  test: TestShown | null;
  calls: Omit<CallsProps, 'here'>;
}

interface DestinationPageProps extends ConditionsProps, Sort {
  home: HomeShown;
  /** The list that it is opened from. */
  rows: DestinationRow[];
  /** Address of the page. */
  here: string;
  /** Null for one that is not stored yet. */
  stored: StoredShown | null;
  /** A signing secret that was just made; null without. */
  madeSecret: string | null;
  /** Whether it is known that the person's address is theirs. */
  isProven: boolean;
}

/** Draws a destination beside the list: its settings, its conditions, and of a stored one its state, a test and what it was sent. */
export function DestinationPage(props: DestinationPageProps) {
  const { home, rows, kind, role, here, stored, typed } = props;
  const { label, hint } = kindOf(kind);
  const title = stored ? typed.name : label;
  return (
    <Around {...{ home, title }}>
      <div class="notifications opened">
        <DestinationList {...{ home, rows }} current={stored ? here.slice(-36) : ''} />
        <div class="sheeted">
          <header>
            <a class="up" href={home.listAt}>
              <Icon name="chevron-left" />{' '}
              {home.form ? destinationWords.title : destinationWords.openAll}
            </a>
            <h2>
              <bdi>{title}</bdi>
            </h2>
            <p class="hint">{hint}</p>
          </header>
          {props.madeSecret !== null && (
            <Notice kind="good">
              <p>{words.madeSecret}</p>
              <pre tabindex={0}>{props.madeSecret}</pre>
            </Notice>
          )}
          {stored && <Standing {...stored} here={here} />}
          <Inputs {...props} />
          {role === 'visitor' && stored && home.form && (
            <Attachment {...props} {...{ identifier: home.form.identifier, stored }} />
          )}
          {stored && kind === 'webhook' && !stored.isOff && (
            <section>
              <h3>{words.secret}</h3>
              <Former until={stored.previousUntil} />
              <LinkButton href={`${here}/secret`} icon="key-round">
                {words.secretShow}
              </LinkButton>
            </section>
          )}
          {stored && !(role === 'webhook' && stored.isOff) && (
            <Test test={stored.test} here={here} />
          )}
          {stored?.sample && (
            <details class="folded">
              <summary>
                <Icon name="chevron-right" /> {words.sample}
              </summary>
              <p class="hint">{words.sampleHint}</p>
              <div class="copyable">
                <pre tabindex={0} dir="auto">
                  {stored.sample}
                </pre>
              </div>
            </details>
          )}
          {stored && <Calls {...stored.calls} here={here} />}
          {stored && <Ends {...{ here, role, stored }} />}
        </div>
      </div>
    </Around>
  );
}

/** Draws the buttons that pause and delete it; what every form has is turned off by its settings. */
function Ends({ here, role, stored }: { here: string; role: Sort['role']; stored: StoredShown }) {
  const mayPause = stored.pausedAt === null && (!role || (role === 'webhook' && !stored.isOff));
  return (
    <div class="actions">
      {mayPause && (
        <ActionForm action={`${here}/pause`}>
          <Button kind="plain">{words.pause}</Button>
        </ActionForm>
      )}
      {!role && (
        <Confirm
          action={`${here}/delete`}
          label={words.delete}
          question={words.deleteQuestion}
          go={words.deleteGo}
          icon="trash-2"
        />
      )}
    </div>
  );
}

/** Says whether anything is sent there, and why not. */
function Standing(props: StoredShown & { here: string }) {
  const { here, pausedAt, isGivenUp, failingSince, failsUntil, isReadable } = props;
  if (!isReadable) {
    return (
      <Notice kind="bad">
        <p>{words.unreadable}</p>
      </Notice>
    );
  }
  if (pausedAt !== null) {
    return (
      <Notice kind="warn">
        <p>
          {isGivenUp ? words.gaveUp : words.pausedSince} <Time at={pausedAt} />.
        </p>
        <ActionForm action={`${here}/resume`}>
          <Check name="resend" label={words.resend} checked />
          <Actions>
            <Button kind="plain">{words.resume}</Button>
          </Actions>
        </ActionForm>
      </Notice>
    );
  }
  if (failingSince === null || failsUntil === null) return null;
  return (
    <Notice kind="warn">
      <p>
        {words.failingSince} <Time at={failingSince} />. {words.failingUntil}{' '}
        <Time at={failsUntil} />.
      </p>
    </Notice>
  );
}

function Inputs(props: DestinationPageProps) {
  const { kind, role, here, home, typed, stored, isProven } = props;
  const problems = props.problems.filter(({ field }) => !field.startsWith('attachment'));
  return (
    <ActionForm
      action={stored ? here : home.addAt}
      problems={problems}
      labelOf={labelOfField(props)}
    >
      {!stored && <input type="hidden" name="kind" value={kind} />}
      {!role && (
        <Field
          name="destination.name"
          label={words.name}
          hint={words.nameHint}
          value={typed.name}
          problems={problems}
          maxlength={100}
          autocomplete="off"
        />
      )}
      {role && role !== 'webhook' && (
        <Check name="destination.on" label={words.on[role]} checked={typed.isOn} />
      )}
      <Settings {...{ kind, role, typed, stored, problems }} />
      {kindOf(kind).mail && home.form && <MailPreview {...{ here, isProven }} />}
      <Conditions {...props} {...{ problems, tryAt: stored ? `${here}/try` : here }} />
      <Actions>
        <Button>{stored ? words.save : words.create}</Button>
      </Actions>
    </ActionForm>
  );
}

interface ConditionsProps {
  typed: DestinationTyped;
  /** The fields that came lately (`field:topic`) and facts, each with values to choose from. */
  values: ReadonlyMap<string, readonly string[]>;
  /** How its conditions did; null unless they were tried. */
  trial: { tried: number; taken: number } | null;
  /** Whether there is room for another condition. */
  mayAdd: boolean;
  problems: FieldProblem[];
}

/** Draws the conditions of a destination, and how they did if they were tried. */
function Conditions(props: ConditionsProps & { tryAt: string }) {
  const { typed, values, trial, mayAdd, problems, tryAt } = props;
  const about = [...values.keys()].find((each) => each.startsWith(A_FIELD)) ?? A_FIELD;
  const conditions = mayAdd ? [...typed.conditions, { ...NO_CONDITION, about }] : typed.conditions;
  return (
    <details class="folded" open={typed.conditions.length > 0 || trial !== null}>
      <summary>
        <Icon name="chevron-right" /> {words.conditions}
      </summary>
      <p class="hint">{words.conditionsHint}</p>
      <Select
        name="destination.match"
        label={words.match}
        value={typed.match}
        options={MATCHINGS.map((value) => ({ value, label: words.matches[value] }))}
      />
      {conditions.map((condition, at) => (
        <ConditionRow
          {...{ condition, problems, values }}
          prefix={`destination.conditions.${at}.`}
        />
      ))}
      {[...values].map(([about, offered]) => (
        <datalist id={listIdOf(about)}>
          {offered.map((value) => (
            <option value={value} />
          ))}
        </datalist>
      ))}
      <p class="hint">{words.valueHint}</p>
      {trial && (
        <p role="status" class="notice">
          {words.tried(trial.taken, trial.tried)}
        </p>
      )}
      <Actions>
        <Button kind="plain" action={tryAt}>
          {words.try}
        </Button>
      </Actions>
    </details>
  );
}

function listIdOf(about: string): string {
  return `values of ${about}`.replace(/\s/g, '_');
}

function ConditionRow(props: {
  condition: ConditionTyped;
  prefix: string;
  problems: FieldProblem[];
  values: ConditionsProps['values'];
}) {
  const { condition, prefix, problems, values } = props;
  const name = fieldOf(condition);
  const isFact = FACTS.includes(condition.about as Fact);
  const fields = new Set([...values.keys()].filter((about) => about.startsWith(A_FIELD)));
  if (!isFact && name !== '') fields.add(A_FIELD + name);
  const options = [
    ...[...fields].map((value) => ({ value, label: value.slice(A_FIELD.length) })),
    { value: A_FIELD, label: words.aField },
    ...FACTS.map((value) => ({ value, label: destinationWords.facts[value] })),
  ];
  const about = isFact ? condition.about : A_FIELD + name;
  return (
    <div class="pair quarters condition">
      <Select name={`${prefix}about`} label={words.about} value={about} options={options} />
      <Field
        name={`${prefix}field`}
        label={words.field}
        value={about === A_FIELD ? name : ''}
        problems={problems}
        autocomplete="off"
        dir="auto"
      />
      <Select
        name={`${prefix}op`}
        label={words.op}
        value={condition.op}
        options={OPERATION_NAMES.map((value) => ({ value, label: destinationWords.ops[value] }))}
      />
      <Field
        name={`${prefix}value`}
        label={words.value}
        value={condition.value}
        problems={problems}
        list={listIdOf(about)}
        autocomplete="off"
        dir="auto"
      />
    </div>
  );
}

/** Draws the file that goes along with each email to a visitor. */
function Attachment(props: { identifier: string; stored: StoredShown; problems: FieldProblem[] }) {
  const {
    stored: { attachment },
  } = props;
  const at = `/forms/${props.identifier}/visitor-mail/attachment`;
  const problems = props.problems.filter(({ field }) => field.startsWith('attachment'));
  return (
    <section>
      <h3>{words.attachment}</h3>
      <p>
        {attachment === null ? (
          words.noFile
        ) : (
          <bdi>{words.file(attachment.name, attachment.size)}</bdi>
        )}
      </p>
      <ActionForm action={at} problems={problems} class="fields" upload>
        <Field
          name="attachment.content"
          type="file"
          label={words.chooseFile}
          hint={words.chooseHint}
          problems={problems}
        />
        <Actions>
          <Button kind="plain" icon="paperclip">
            {words.upload}
          </Button>
        </Actions>
      </ActionForm>
      {attachment !== null && (
        <ActionForm action={`${at}/removal`} class="buttons">
          <Button kind="plain" icon="trash-2">
            {words.removeFile}
          </Button>
        </ActionForm>
      )}
    </section>
  );
}

/** Draws the secret that signs the calls of a webhook, with the button that makes a new one. */
export function DestinationSecretPage(props: {
  home: HomeShown;
  here: string;
  name: string;
  /** Null where it is not shown again. */
  secret: string | null;
  signature: string;
  previousUntil: Date | null;
}) {
  const { home, here, name, secret, signature, previousUntil } = props;
  const isStandard = signature === 'standard';
  const hint = isStandard ? words.secretRenewHint : words.secretRenewAtOnce;
  return (
    <Around {...{ home, title: name }}>
      <h2>
        {words.secret}: <bdi>{name}</bdi>
      </h2>
      <p>{signature === 'none' ? words.unsigned : words.secretHint}</p>
      {secret !== null && <Copyable id="secret" text={secret} />}
      <p class="hint">{isStandard ? words.secretUse : words.secretAsText}</p>
      <Former until={previousUntil} />
      <Confirm
        action={`${here}/secret`}
        label={words.secretRenew}
        question={previousUntil === null ? hint : `${hint} ${words.secretRenewAgain}`}
        go={words.secretRenew}
        icon="refresh-cw"
      />
    </Around>
  );
}

/** Says until when the former secret signs too. */
function Former({ until }: { until: Date | null }) {
  return (
    until && (
      <p class="hint">
        {words.secretFormer} <Time at={until} />.
      </p>
    )
  );
}
