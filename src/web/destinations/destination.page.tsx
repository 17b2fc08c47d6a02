import { kindOf } from '../../destinations/kinds/kinds.js';
import { settingsOf } from '../../destinations/model/kind-settings.js';
import { fieldLabel } from '../../forms/model/field-label.js';
import type { VisitorAttachmentFacts } from '../../forms/model/form.entity.js';
import type { FieldProblem } from '../../platform/kernel/errors.js';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { Test, type TestShown } from '../deliveries/test-result.js';
import { Icon, Notice, Time } from '../parts/content.js';
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
import { Conditions, type ConditionsProps } from './conditions.js';
import { Calls, type CallsProps } from './log.js';
import { Former } from './secret.page.js';
import { askedOf, type DestinationTyped, type Sort } from './typed.js';

/** Words of the page of a destination. */
const words = {
  name: 'Name',
  nameHint: 'For you, such as “Sales channel”.',
  on: { team: 'Email your team about each submission', visitor: 'Send the visitor an email' },
  keep: 'Stored. Type a new one to replace it.',
  create: 'Add destination',
  save: 'Save changes',
  pause: 'Pause',
  resume: 'Resume',
  resend: 'Also send missed submissions',
  pausedSince: 'Paused since',
  gaveUp: 'Every call failed for five days, so we paused it. Since',
  failingSince: 'Every call has failed since',
  failingUntil: 'If none succeeds, we pause it on',
  unreadable:
    'Its secrets cannot be read, so nothing can be sent. Enter them again, or ask the operator to restore SECRET_KEY.',
  madeSecret: 'Your signing secret. Copy it now, we don’t show it again:',
  sample: 'Sample of the body',
  sampleHint: 'In the saved format. A test sends this.',
  secret: 'Signing secret',
  secretShow: 'Show or renew the secret',
  attachment: 'Attachment',
  noFile: 'No file is attached to emails to visitors.',
  file: (name: string, size: number) =>
    `Every email to a visitor has this file: ${name} (${byteSize(size)})`,
  chooseFile: 'File',
  chooseHint: 'Up to 2 MB, such as your terms.',
  upload: 'Attach file',
  removeFile: 'Remove file',
  up: 'Move up',
  delete: 'Delete',
  deleteQuestion: 'Delete this destination? Pending deliveries are discarded.',
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

/** Draws the buttons that pause, move and delete it; what every form has is turned off by its settings. */
function Ends({ here, role, stored }: { here: string; role: Sort['role']; stored: StoredShown }) {
  const mayPause = stored.pausedAt === null && (!role || (role === 'webhook' && !stored.isOff));
  return (
    <div class="actions">
      {mayPause && (
        <ActionForm action={`${here}/pause`}>
          <Button kind="plain">{words.pause}</Button>
        </ActionForm>
      )}
      {stored.mayMove && (
        <ActionForm action={`${here}/up`}>
          <Button kind="plain">{words.up}</Button>
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
