import { kindOf } from '../../destinations/kinds/kinds.js';
import { settingsOf } from '../../destinations/model/kind-settings.js';
import { fieldLabel } from '../../forms/model/field.js';
import type { VisitorAttachmentFacts } from '../../forms/model/form.entity.js';
import { type FieldProblem, byteSize } from '../../platform/index.js';
import { Test, type TestShown } from '../deliveries/test-result.js';
import {
  Fold,
  Icon,
  Notice,
  Time,
  ActionButton,
  ActionForm,
  Check,
  Field,
  LinkButton,
  Select,
  Confirm,
} from '../parts/index.js';
import { MailPreview } from '../previews/mail-frame.page.js';
import {
  Around,
  DestinationList,
  destinationWords,
  type DestinationRow,
  type HomeShown,
  Former,
} from './destinations.page.js';
import { Conditions, type ConditionsProps } from './conditions.js';
import { Calls, type CallsProps } from './log.js';
import { askedOf, type DestinationTyped, type Sort } from './typed.js';

/** Words of the page of a destination. */
const words = { on: { team: 'Email your team about each submission', visitor: 'Send the visitor an email' } } as const;

/** Returns what a field of a destination is called on its page. */
export function labelOfField({ kind, role }: Sort): (field: string) => string {
  return (field) => settingsOf(kind, role)[field.replace('destination.settings.', '')]?.label ?? fieldLabel(field);
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
          <Fold title={fold} open={within.some((name) => isInUse(props, name))}>
            {inputs}
          </Fold>
        );
      })}
    </>
  );
}

/** Tells whether a setting is not as it is by default, or has a problem to be seen. */
function isInUse({ kind, role, typed, problems }: SettingsProps, name: string) {
  const [byDefault = ''] = Object.keys(settingsOf(kind, role)[name]?.choices ?? {});
  const isRefused = problems.some(({ field }) => field === `destination.settings.${name}`);
  return isRefused || !['', byDefault].includes(typed.settings[name] ?? '');
}

function Setting(props: SettingsProps & { name: string }) {
  const { kind, role, name, typed, stored } = props;
  const { label = name, hint, choices, isSecret, isLong } = settingsOf(kind, role)[name] ?? {};
  const field = `destination.settings.${name}`;
  const value = typed.settings[name];
  if (choices && 'yes' in choices) {
    return <Check {...{ name: field, label, value: 'yes', checked: value === 'yes' }} {...(hint && { hint })} />;
  }
  if (choices) {
    const options = Object.entries(choices).map(([each, said]) => ({ value: each, label: said }));
    return <Select {...{ label, options }} name={field} value={value ?? options[0]?.value ?? ''} />;
  }
  const isStored = isSecret === true && stored?.settings[name] !== undefined;
  return (
    <Field
      {...{ label, value, name: field, autocomplete: 'off' }}
      hint={isStored ? `${stored.settings[name] ?? ''} Stored. Type a new one to replace it.` : hint}
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
  /** Whether there is one before it in its list, whose place it can take. */
  mayMove: boolean;
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
  problems: FieldProblem[];
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
              <Icon name="chevron-left" /> {home.form ? destinationWords.title : destinationWords.openAll}
            </a>
            <h2>
              <bdi>{title}</bdi>
            </h2>
            <p class="hint">{hint}</p>
          </header>
          {props.madeSecret !== null && (
            <Notice kind="good">
              <p>Your signing secret. Copy it now, we don’t show it again:</p>
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
              <h3>Signing secret</h3>
              <Former until={stored.previousUntil} />
              <LinkButton href={`${here}/secret`} icon="key-round">
                Show or renew the secret
              </LinkButton>
            </section>
          )}
          {stored && !(role === 'webhook' && stored.isOff) && <Test test={stored.test} here={here} />}
          {stored?.sample && (
            <Fold title="Sample of the body">
              <p class="hint">In the saved format. A test sends this.</p>
              <div class="copyable">
                <pre tabindex={0} dir="auto">
                  {stored.sample}
                </pre>
              </div>
            </Fold>
          )}
          {stored && <Calls {...stored.calls} here={here} />}
          {stored && <Ends {...{ here, role, stored }} />}
        </div>
      </div>
    </Around>
  );
}

/** Draws the buttons that pause, move and delete it; what every form has is turned off by its settings. */
function Ends({ here, role, stored }: { here: string; role: Sort['role']; stored: StoredShown }) {
  const mayPause = stored.pausedAt === null && (!role || (role === 'webhook' && !stored.isOff));
  return (
    <div class="actions">
      {mayPause && (
        <ActionButton action={`${here}/pause`} kind="plain">
          Pause
        </ActionButton>
      )}
      {stored.mayMove && (
        <ActionButton action={`${here}/up`} kind="plain">
          Move up
        </ActionButton>
      )}
      {!role && (
        <Confirm
          action={`${here}/delete`}
          label="Delete"
          question="Delete this destination? Pending deliveries are discarded."
          go="Delete destination"
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
        <p>
          Its secrets cannot be read, so nothing can be sent. Enter them again, or ask the operator to restore
          SECRET_KEY.
        </p>
      </Notice>
    );
  }
  if (pausedAt !== null) {
    return (
      <Notice kind="warn">
        <p>
          {isGivenUp ? 'Every call failed for five days, so we paused it. Since' : 'Paused since'}{' '}
          <Time at={pausedAt} />.
        </p>
        <ActionForm action={`${here}/resume`} submit="Resume" kind="plain">
          <Check name="resend" label="Also send missed submissions" checked />
        </ActionForm>
      </Notice>
    );
  }
  if (failingSince === null || failsUntil === null) return null;
  return (
    <Notice kind="warn">
      <p>
        Every call has failed since <Time at={failingSince} />. If none succeeds, we pause it on{' '}
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
      submit={stored ? 'Save changes' : 'Add destination'}
    >
      {!stored && <input type="hidden" name="kind" value={kind} />}
      {!role && (
        <Field
          name="destination.name"
          label="Name"
          hint="For you, such as “Sales channel”."
          value={typed.name}
          maxlength={100}
          autocomplete="off"
        />
      )}
      {role && role !== 'webhook' && <Check name="destination.on" label={words.on[role]} checked={typed.isOn} />}
      <Settings {...{ kind, role, typed, stored, problems }} />
      {kindOf(kind).mail && home.form && <MailPreview {...{ here, isProven }} />}
      <Conditions {...props} {...{ problems, tryAt: stored ? `${here}/try` : here }} />
    </ActionForm>
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
      <h3>Attachment</h3>
      <p>
        {attachment === null ? (
          'No file is attached to emails to visitors.'
        ) : (
          <bdi>
            Every email to a visitor has this file: {attachment.name} ({byteSize(attachment.size)})
          </bdi>
        )}
      </p>
      <ActionForm
        action={at}
        problems={problems}
        class="fields"
        upload
        submit="Attach file"
        kind="plain"
        icon="paperclip"
      >
        <Field name="attachment.content" type="file" label="File" hint="Up to 2 MB, such as your terms." />
      </ActionForm>
      {attachment !== null && (
        <ActionButton action={`${at}/removal`} class="buttons" kind="plain" icon="trash-2">
          Remove file
        </ActionButton>
      )}
    </section>
  );
}
