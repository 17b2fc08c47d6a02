import type { ComponentChildren } from 'preact';
import { type KindName, KIND_NAMES } from '../../destinations/kinds/kinds.js';
import type { Fact, Operation, Condition, Matching } from '../../destinations/model/condition.js';
import { FormShell, type FormShown, formHeadWords } from '../form-head/form-head.js';
import { Shell } from '../layout/shell.js';
import { PageHead, Empty, State, Table } from '../parts/content.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';

/** The name of a kind, and where its owner finds what it needs. */
interface KindWords {
  label: string;
  hint: string;
}

const kinds: Readonly<Record<KindName, KindWords>> = {
  email: { label: 'Email', hint: 'Each person gets their own copy, and one email per submission.' },
  slack: {
    label: 'Slack',
    hint: 'In Slack, create an app, turn on Incoming Webhooks, add one to a channel and copy its URL.',
  },
  discord: {
    label: 'Discord',
    hint: 'In Discord, open the channel’s settings, then Integrations and Webhooks, and copy the URL of a new one.',
  },
  teams: {
    label: 'Microsoft Teams',
    hint: 'In Teams, open Workflows, choose “Send webhook alerts to a channel” and copy the URL.',
  },
  telegram: {
    label: 'Telegram',
    hint: 'Make a bot with @BotFather, add it to your chat and copy its token.',
  },
  google_chat: {
    label: 'Google Chat',
    hint: 'In the space, open Apps & integrations, then Webhooks, and copy the URL of a new one.',
  },
  google_sheets: {
    label: 'Google Sheets',
    hint: 'In the sheet, open Extensions and Apps Script, paste the script from our documentation, deploy it as a web app for anyone and copy its URL.',
  },
  webhook: { label: 'Webhook', hint: 'Works with Zapier, Make, n8n and your own server.' },
  plain: {
    label: 'ntfy or plain text',
    hint: 'Use the address of a topic, such as https://ntfy.sh/your-topic. Anyone who knows it can read it.',
  },
};

/** Labels of settings, of all kinds. */
const settings: Readonly<Record<string, string>> = {
  url: 'URL',
  token: 'Token',
  chat: 'Chat',
  server: 'Server',
  secret: 'Secret',
  format: 'Body',
  signature: 'Signature',
  authorization: 'Authorization header',
  to: 'To',
  cc: 'Cc',
  bcc: 'Bcc',
  route_field: 'Field that decides who gets it',
  routes: 'Who gets which value',
  reply_to: 'Reply-to field',
  subject: 'Subject',
  body: 'Text',
  digest: 'Send',
  files: 'Files',
};

/** Hints below settings, by kind and name where they differ. */
const hints: Readonly<Record<string, string>> = {
  'telegram.chat': 'Its number, such as -1001234567890, or the @name of a public channel.',
  'telegram.server': 'Only if you run a Bot API server of your own.',
  'plain.token': 'If the server asks for one.',
  'google_sheets.secret': 'The one in your script.',
  'webhook.secret': 'Signs each call. Leave it empty and we make one.',
  'webhook.authorization': 'For services that ask for a key, such as Bearer abc123.',
  'email.to': 'Up to ten addresses, separated by commas.',
  'email.route_field': 'Such as “topic”. Leave it empty to send everything to the same people.',
  'email.routes':
    'One line for each value: Sales = sales@example.com, boss@example.com. Values that are not listed go to “To”, or to nobody if that is empty.',
  'email.reply_to': 'The field whose address gets your answers. Leave it empty and we find it.',
  'email.subject': 'Put fields in double braces: {{name}} asks about {{topic}}',
  'email.body':
    'Replaces our text. {{field}} is one answer, {{answers}} the whole list. Leave it empty for ours.',
  'email.files': 'Attached files may have 5 MB together. The others come as links.',
};

const choices: Readonly<Record<string, string>> = {
  each: 'Each submission at once',
  hourly: 'Once an hour',
  daily: 'Once a day, at 8:00 UTC',
  links: 'As links',
  attached: 'Attached',
};

const ops: Readonly<Record<Operation, string>> = {
  is: 'is',
  is_not: 'is not',
  contains: 'contains',
  matches: 'matches',
  greater: 'is greater than',
  less: 'is less than',
};

const facts: Readonly<Record<Fact, string>> = {
  verdict: 'Spam verdict',
  language: 'Browser language',
  page: 'Page',
  file: 'File',
};

/** Words of the pages of destinations. */
export const destinationWords = {
  title: 'Destinations',
  lead: 'Send submissions where you work: all of them, or those that match your conditions.',
  ofAccount: 'Destinations of all forms',
  leadOfAccount:
    'A destination here gets the submissions of every form, beside what the form itself has. A form can leave it out.',
  ofClient: (name: string) => `Destinations of ${name}`,
  leadOfClient:
    'A destination here gets the submissions of every form that this client sees. A form can leave it out.',
  openAll: 'Destinations of all forms',
  exclude: 'Leave out',
  include: 'Take in again',
  columns: { name: 'Name', kind: 'Kind', when: 'Gets', state: 'State', order: 'Change' },
  everything: 'Everything except spam',
  joined: { all: ' and ', any: ' or ' },
  states: {
    on: 'On',
    excluded: 'Left out',
    paused: 'Paused',
    gave_up: 'Paused after failures',
    failing: 'Failing',
  },
  of: {
    settings: 'Set on its own page',
    form: '',
    client: 'Set for a client',
    account: 'Set for all forms',
  },
  ownerEmails: 'Owner emails',
  ownerWebhook: 'Webhook',
  add: 'Add a destination',
  emptyTitle: 'No destinations yet',
  up: 'Move up',
  kinds,
  settings,
  hints,
  choices,
  ops,
  facts,
  name: 'Name',
  nameHint: 'For you, such as “Sales channel”.',
  keep: 'Stored. Type a new one to replace it.',
  conditions: 'Conditions',
  conditionsHint: 'Without conditions it gets everything except spam.',
  fieldsSeen: (names: string) => `Recent fields: ${names}`,
  match: 'Send when',
  matches: { all: 'all conditions match', any: 'any condition matches' },
  about: 'About',
  aField: 'A field',
  field: 'Field',
  op: 'Comparison',
  value: 'Value',
  valueHint:
    'Verdicts are clean, held and spam. A language is a code such as de. A file is yes or no.',
  try: 'Try conditions',
  tried: (count: number, of: number) =>
    of === 0
      ? 'There are no submissions to try them on yet.'
      : `${count} of the last ${of} submissions would have gone here.`,
  create: 'Add destination',
  save: 'Save',
  pause: 'Pause',
  resume: 'Resume',
  resend: 'Send what it missed too',
  pausedSince: 'Paused since',
  gaveUp: 'Every call failed for five days, so we paused it. Since',
  failingSince: 'Every call has failed since',
  unreadable:
    'Its secrets were sealed with another key, so nothing can be sent. Type them again, or ask the operator to restore SECRET_KEY.',
  madeSecret: 'Your signing secret. Copy it now, we don’t show it again:',
  testHint: 'Sends a made-up submission now. It is not stored.',
  sent: 'Sent',
  folds: { recipients: 'More recipients', text: 'Subject, text and files' },
  noCalls: 'What is sent here is listed. We remove what was delivered after a while.',
  retry: 'Retry everything that failed',
  delete: 'Delete',
  deleteQuestion: 'Delete this destination? What is still waiting is not sent.',
  deleteGo: 'Delete destination',
} as const;

/** Whose destinations a page is about, as it shows it. */
export interface HomeShown {
  /** Null for destinations of all forms. */
  form: FormShown | null;
  /** The client whose forms are meant; null for a form, and for all of the account. */
  client: { id: number; name: string } | null;
  /** Address of the list. */
  listAt: string;
  /** Address that draws a new one. */
  newAt: string;
}

/** Draws what is around every page of destinations: the head of their form, or of all forms. */
export function Around(props: {
  home: HomeShown;
  /** Title of one destination; null on the list. */
  title: string | null;
  children: ComponentChildren;
}) {
  const { home, title, children } = props;
  const { form, client, listAt } = home;
  if (form) {
    return (
      <FormShell
        form={form}
        title={title ?? destinationWords.title}
        tab="notifications"
        part="destinations"
      >
        {title !== null && (
          <h2>
            <bdi>{title}</bdi>
          </h2>
        )}
        {children}
      </FormShell>
    );
  }
  const list = client ? destinationWords.ofClient(client.name) : destinationWords.ofAccount;
  const above = client
    ? { href: `/clients/${client.id}`, label: client.name }
    : { href: '/forms', label: formHeadWords.list };
  return (
    <Shell title={title ?? list} section={client ? 'clients' : 'forms'}>
      <PageHead title={title ?? list} up={title === null ? above : { href: listAt, label: list }} />
      {children}
    </Shell>
  );
}

/** A destination as the list shows it. */
export interface DestinationRow {
  href: string;
  name: string;
  kind: KindName;
  of: keyof typeof destinationWords.of;
  match: Matching;
  conditions: readonly Condition[];
  state: keyof typeof destinationWords.states;
  /** Address that moves it up; null for the first, and for one of another list. */
  upAt: string | null;
  /** Leaves it out of the form, or takes it in again; null for what the form has itself. */
  exclusion: { at: string; isExcluded: boolean } | null;
}

export interface DestinationsPageProps {
  home: HomeShown;
  rows: DestinationRow[];
  /** Whether the reader sees what is set for all forms. */
  seesAll: boolean;
}

const TONES = {
  on: 'good',
  excluded: 'quiet',
  paused: 'quiet',
  gave_up: 'bad',
  failing: 'bad',
} as const;

/** Draws where the submissions of a form go, or of all forms. */
export function DestinationsPage({ home, rows, seesAll }: DestinationsPageProps) {
  const { form, client, newAt } = home;
  const lead = form
    ? destinationWords.lead
    : client
      ? destinationWords.leadOfClient
      : destinationWords.leadOfAccount;
  return (
    <Around {...{ home, title: null }}>
      {rows.length > 0 && <p>{lead}</p>}
      <div class="sections">
        <section>
          {rows.length === 0 ? (
            <Empty icon="send" title={destinationWords.emptyTitle}>
              <p>{lead}</p>
            </Empty>
          ) : (
            <div class="panel">
              <Table
                class="destinations"
                caption={destinationWords.title}
                head={[
                  destinationWords.columns.name,
                  destinationWords.columns.kind,
                  destinationWords.columns.when,
                  destinationWords.columns.state,
                  destinationWords.columns.order,
                ]}
              >
                {rows.map((row) => (
                  <Row {...row} />
                ))}
              </Table>
            </div>
          )}
        </section>
        <section>
          <h2>{destinationWords.add}</h2>
          <div class="actions">
            {KIND_NAMES.map((kind) => (
              <LinkButton
                href={`${newAt}${newAt.includes('?') ? '&' : '?'}kind=${kind}`}
                icon="plus"
              >
                {destinationWords.kinds[kind].label}
              </LinkButton>
            ))}
          </div>
          {form && seesAll && (
            <p>
              <a href="/destinations">{destinationWords.openAll}</a>
            </p>
          )}
        </section>
      </div>
    </Around>
  );
}

function Row(row: DestinationRow) {
  const { href, name, kind, of, match, conditions, state, upAt, exclusion } = row;
  return (
    <tr>
      <th scope="row">
        <a class="row" href={href}>
          <bdi>{name}</bdi>
        </a>
        {of !== 'form' && <div class="hint">{destinationWords.of[of]}</div>}
      </th>
      <td>{destinationWords.kinds[kind].label}</td>
      <td>
        {conditions.length === 0
          ? destinationWords.everything
          : conditions.map(sentenceOf).join(destinationWords.joined[match])}
      </td>
      <td>
        <State kind={TONES[state]}>{destinationWords.states[state]}</State>
      </td>
      <td>
        {upAt !== null && (
          <ActionForm action={upAt}>
            <Button kind="plain">{destinationWords.up}</Button>
          </ActionForm>
        )}
        {exclusion && (
          <ActionForm action={exclusion.at}>
            <Button kind="plain">
              {exclusion.isExcluded ? destinationWords.include : destinationWords.exclude}
            </Button>
          </ActionForm>
        )}
      </td>
    </tr>
  );
}

/** Says a condition in words. */
function sentenceOf({ field, fact, op, value }: Condition): string {
  const what = fact === null ? (field ?? '') : destinationWords.facts[fact].toLowerCase();
  return `${what} ${destinationWords.ops[op]} “${value}”`;
}
