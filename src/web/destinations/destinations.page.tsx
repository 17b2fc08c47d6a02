import type { ComponentChildren } from 'preact';
import { kindOf, KIND_NAMES, type KindName } from '../../destinations/kinds/kinds.js';
import type { Condition, Fact, Matching, Operation } from '../../destinations/model/condition.js';
import type { Role } from '../../destinations/model/kind-settings.js';
import { FormShell, type FormShown } from '../form-head/form-head.js';
import { Shell } from '../layout/shell.js';
import {
  PageHead,
  Empty,
  State,
  Icon,
  Time,
  type IconName,
  Copyable,
  Section,
  Fold,
  ActionButton,
  Confirm,
} from '../parts/index.js';

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
  title: 'Notifications',
  leadOfAccount: 'Applies to every form, in addition to the form’s own destinations. You can exclude single forms.',
  ofClient: (name: string) => `Destinations of ${name}`,
  leadOfClient:
    'Applies to every form that this client sees, in addition to the form’s own destinations. You can exclude single forms.',
  openAll: 'Destinations of all forms',
  joined: { all: ' and ', any: ' or ' },
  states: {
    on: 'On',
    off: 'Off',
    excluded: 'Excluded',
    paused: 'Paused',
    gave_up: 'Paused after failures',
    failing: 'Failing',
  },
  digests: { each: '', hourly: 'once an hour', daily: 'once a day' } as Record<string, string>,
  from: { client: 'From a client', account: 'From the account' },
  ops,
  facts,
  failing: {
    title: 'Recipients that no longer get emails',
    kinds: { permanent: 'Bounced', complaint: 'Reported as spam' },
  },
} as const;

/** Whose destinations a page is about, as it shows it. */
export interface HomeShown {
  /** Null for destinations of all forms. */
  form: FormShown | null;
  /** The client whose forms are meant; null for a form, and for all of the account. */
  client: { id: number; name: string } | null;
  /** Address of the list. */
  listAt: string;
  /** Address that draws a new one, and that adds it. */
  newAt: string;
  addAt: string;
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
      <FormShell {...{ form, title: title ?? destinationWords.title }} tab="settings">
        {children}
      </FormShell>
    );
  }
  const list = client ? destinationWords.ofClient(client.name) : 'Destinations of all forms';
  const above = client && { up: { href: `/clients/${client.id}`, label: client.name } };
  return (
    <Shell title={title ?? list} section={client ? 'clients' : 'destinations'}>
      <PageHead title={list} {...(title === null ? above : { up: { href: listAt, label: list } })} />
      {children}
    </Shell>
  );
}

/** A destination as the list shows it. */
export interface DestinationRow {
  id: string;
  href: string;
  name: string;
  kind: KindName;
  role: Role | null;
  /** `form` for one of the list itself, also where that is of all forms. */
  of: 'form' | 'client' | 'account';
  /** Recipients, subject or host; null where none is named. */
  goesTo: string | null;
  digest: string;
  match: Matching;
  conditions: readonly Condition[];
  state: keyof typeof destinationWords.states;
  /** Leaves it out of the form, or takes it in again; null for what the form has itself. */
  exclusion: { at: string; isExcluded: boolean } | null;
}

const TONES = { on: 'good', off: 'quiet', excluded: 'quiet', paused: 'quiet', gave_up: 'bad', failing: 'bad' } as const;

export interface DestinationsPageProps {
  home: HomeShown;
  rows: DestinationRow[];
  /** Whether the reader sees what is set for all forms. */
  seesAll: boolean;
  failing: readonly FailingShown[];
}

/** Draws where the submissions of all forms go. */
export function DestinationsPage({ home, rows }: DestinationsPageProps) {
  const { leadOfClient, leadOfAccount } = destinationWords;
  return (
    <Around {...{ home, title: null }}>
      <div class="notifications">
        <p class="hint">{home.client ? leadOfClient : leadOfAccount}</p>
        {rows.length === 0 && (
          <Empty icon="send" title="No destinations yet">
            <p>{leadOfAccount}</p>
          </Empty>
        )}
        <DestinationList {...{ home, rows }} current={null} />
      </div>
    </Around>
  );
}

/** Draws who hears of the submissions of a form: a section of its settings. */
export function Notifications({ home, rows, seesAll, failing }: DestinationsPageProps) {
  return (
    <Section
      id="notifications"
      class="notifications"
      title={destinationWords.title}
      hint="Who is notified about submissions, and where else they are sent."
    >
      <DestinationList {...{ home, rows }} current={null} />
      {seesAll && rows.some(({ of }) => of === 'account') && (
        <p>
          <a href="/destinations">{destinationWords.openAll}</a>
        </p>
      )}
      {home.form && <Failing identifier={home.form.identifier} rows={failing} />}
    </Section>
  );
}

/** Draws the list of destinations, with what adds one. */
export function DestinationList(props: {
  home: HomeShown;
  rows: DestinationRow[];
  /** Id of the one that is open beside it, and '' for one to be; null where the list stands alone. */
  current: string | null;
}) {
  const { home, rows, current } = props;
  return (
    <div class="panel sends">
      {(['form', 'client', 'account'] as const).map((of) => {
        const some = rows.filter((row) => row.of === of);
        if (some.length === 0) return null;
        return (
          <>
            {of !== 'form' && <h3>{destinationWords.from[of]}</h3>}
            <ul>
              {some.map((row) => (
                <Row {...row} isOpen={row.id === current} isBeside={current !== null} />
              ))}
            </ul>
          </>
        );
      })}
      <Fold icon="plus" title="Add" open={rows.length === 0}>
        <ul class="kinds">
          {KIND_NAMES.map((kind) => (
            <li>
              <a href={`${home.newAt}${home.newAt.includes('?') ? '&' : '?'}kind=${kind}`}>
                <Icon name={iconOf(kind)} /> {kindOf(kind).label}
              </a>
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}

function Row(row: DestinationRow & { isOpen: boolean; isBeside: boolean }) {
  const { href, name, kind, state, exclusion, isOpen, isBeside } = row;
  return (
    <li>
      <a href={href} aria-current={isOpen ? 'true' : undefined}>
        <Icon name={iconOf(kind)} />
        <span>
          <b>
            <bdi>{name}</bdi>
          </b>
          <span class="hint">{summaryOf(row)}</span>
        </span>
      </a>
      <State kind={TONES[state]} icon={state === 'off' ? 'circle' : undefined}>
        {destinationWords.states[state]}
      </State>
      {exclusion && !isBeside && (
        <ActionButton action={exclusion.at} kind="plain">
          {exclusion.isExcluded ? 'Include' : 'Exclude'}
        </ActionButton>
      )}
    </li>
  );
}

function iconOf(kind: KindName): IconName {
  if (kindOf(kind).mail) return 'mail';
  return kind === 'webhook' ? 'webhook' : 'send';
}

/** Says in a line what goes where, and when. */
function summaryOf({ kind, role, goesTo, digest, match, conditions }: DestinationRow) {
  const missing = { team: 'The default recipient', visitor: 'We have received your submission', webhook: 'No URL yet' };
  const { label } = kindOf(kind);
  return [
    role ? (goesTo ?? missing[role]) : goesTo === null ? label : `${label}: ${goesTo}`,
    destinationWords.digests[digest] ?? '',
    conditions.map(sentenceOf).join(destinationWords.joined[match]),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

/** Says a condition in words. */
function sentenceOf({ field, fact, op, value }: Condition) {
  const what = fact === null ? (field ?? '') : destinationWords.facts[fact].toLowerCase();
  return `${what} ${destinationWords.ops[op]} “${value}”`;
}

/** An address that takes no emails. */
interface FailingShown {
  email: string;
  kind: 'permanent' | 'complaint';
  /** The words of the receiver. */
  reason: string;
  since: Date;
}

/** Draws the recipients that get no more emails, with a button that has one tried again; nothing without any. */
function Failing(props: { identifier: string; rows: readonly FailingShown[] }) {
  const { identifier, rows } = props;
  const { failing } = destinationWords;
  if (rows.length === 0) return null;
  return (
    <Section
      class="apart"
      id="s-failing"
      title={failing.title}
      hint="An email bounced, or its recipient reported it as spam. Fix the address, or try again once the mailbox works."
    >
      <div class="panel">
        <table>
          <caption>{failing.title}</caption>
          <tbody>
            {rows.map(({ email, kind, reason, since }) => (
              <tr>
                <th scope="row">{email}</th>
                <td class="wide">
                  {failing.kinds[kind]} <Time at={since} />: <span dir="auto">{reason}</span>
                  <ActionButton
                    action={`/forms/${identifier}/recipients/failing`}
                    fields={{ email }}
                    kind="plain"
                    icon="rotate-ccw"
                  >
                    Try again
                  </ActionButton>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

/** Words about the signing secret of a webhook. */
const words = { secretRenew: 'Create a new secret' } as const;

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
  const hint = isStandard
    ? 'For one day, calls are signed with both the new secret and this one. Update your receiver within that day.'
    : 'Calls are signed with the new secret only, from now on. Update your receiver immediately.';
  return (
    <Around {...{ home, title: name }}>
      <h2>
        Signing secret: <bdi>{name}</bdi>
      </h2>
      <p>
        {signature === 'none'
          ? 'Calls are not signed. Choose a signature to use this secret.'
          : 'Every call is signed with this secret, so your receiver can verify that it comes from here.'}
      </p>
      {secret !== null && <Copyable id="secret" text={secret} />}
      <p class="hint">
        {isStandard
          ? 'Signatures follow Standard Webhooks, in the headers webhook-id, webhook-timestamp and webhook-signature. Any library for it accepts this text.'
          : 'The key is this text, from the first letter to the last.'}
      </p>
      <Former until={previousUntil} />
      <Confirm
        action={`${here}/secret`}
        label={words.secretRenew}
        question={previousUntil === null ? hint : `${hint} The secret before this one stops working immediately.`}
        go={words.secretRenew}
        icon="refresh-cw"
      />
    </Around>
  );
}

/** Says until when the former secret signs too. */
export function Former({ until }: { until: Date | null }) {
  return (
    until && (
      <p class="hint">
        Old secret valid until <Time at={until} />.
      </p>
    )
  );
}
