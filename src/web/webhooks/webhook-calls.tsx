import { submissionAddress } from '../addresses/folders.js';
import { Empty, State, Icon, Time, Table } from '../parts/content.js';
import { ActionForm, Button, LinkButton } from '../parts/controls.js';
import { AsCurl } from '../layout/shell.js';
import { callWords, redeliveryWords } from '../deliveries/words.js';
import { STATE_KINDS } from '../deliveries/redelivery.page.js';
import { sentenceOf, type TryShown } from '../deliveries/webhook-test.js';

/** Words of the webhook of a form. */
export const webhookWords = {
  title: 'Webhook',
  on: 'Turned on',
  offByHand: 'Turned off by hand on',
  offByFailures: 'Every call has failed since',
  offAt: 'The webhook was turned off on',
  offHint: 'Calls missed meanwhile are listed below as failed. You can send them later.',
  failing: 'Every call has failed since',
  failingUntil: 'If none succeeds, the webhook is turned off on',
  resend: 'Also send missed submissions',
  disable: 'Turn off webhook',
  disableHint: 'Submissions still arrive, but this URL is no longer called.',
  address: 'Webhook URL',
  url: 'URL',
  addressHint: 'We POST each submission that is not spam to this URL.',
  format: 'Format',
  formats: {
    standard: 'Standard',
    flat: 'Fields only (Formspark)',
    web3forms: 'Web3Forms',
    basin: 'Basin',
    'basin-wrapped': 'Basin, wrapped in data',
    'basin-customerio': 'Basin for Customer.io',
    'basin-form': 'Basin, form-urlencoded',
    formspree: 'Formspree',
    netlify: 'Netlify',
    forminit: 'Forminit',
    formward: 'Formward',
  },
  signature: 'Signature',
  signatures: {
    standard: 'Standard Webhooks',
    formspree: 'Formspree-Signature',
    netlify: 'X-Webhook-Signature (Netlify)',
    formward: 'X-Formward-Signature',
    none: 'None',
  },
  sample: 'Sample of the body',
  sampleHint: 'In the saved format. A test sends this.',
  save: 'Save',
  remove: 'Remove URL',
  secret: 'Signing secret',
  secretHint:
    'Every call is signed with this secret, so your receiver can verify that it comes from here.',
  unsigned: 'Calls are not signed. Choose a signature to use this secret.',
  secretAsText: 'The key is this text, from the first letter to the last.',
  secretRenewAtOnce:
    'Calls are signed with the new secret only, from now on. Update your receiver immediately.',
  secretUse:
    'Signatures follow Standard Webhooks, in the headers webhook-id, webhook-timestamp and webhook-signature. Any library for it accepts this text.',
  secretShow: 'Show secret',
  secretRenew: 'Create a new secret',
  secretRenewHint:
    'For one day, calls are signed with both the new secret and this one. Update your receiver within that day.',
  secretRenewAgain: 'The secret before this one stops working immediately.',
  secretFormer: 'Old secret valid until',
  calls: 'Calls',
  callStates: { '': 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
  callFilter: 'Filter by state',
  emptyTitle: 'Nothing here',
  empty: 'Each submission that is not spam makes one. Successful calls are removed after a while.',
  noTry: 'Not tried yet',
  pages: 'Pages of calls',
  newest: 'Newest',
  older: 'Older',
} as const;

/** A call, as the list shows it. */
export interface CallShown {
  id: string;
  /** The submission, with the identifier of its form; null when this person may not see it. */
  submission: { identifier: string; id: string } | null;
  state: keyof typeof callWords.states;
  plannedAt: Date;
  tries: number;
  lastTry: TryShown | null;
  nextAttemptAt: Date | null;
}

export interface CallsProps {
  /** Address of the page. */
  here: string;
  calls: CallShown[];
  /** Which calls are shown; '' for all. */
  shown: keyof typeof webhookWords.callStates;
  /** Address of older ones; null on the last page. */
  older: string | null;
  isOlder: boolean;
  /** Address in the API of what is shown; null for people of a client. */
  apiUrl: string | null;
  /** Whether a call can be sent again now, by this person. */
  mayRetry: boolean;
  /** Address that sends again what was given up; null without such calls. */
  redeliverAt: string | null;
  /** Names the list, and says why it is empty; absent: as for the webhook of a form. */
  title?: string;
  empty?: string;
}

/** Draws the calls of a webhook, one state at a time. */
export function Calls(props: CallsProps) {
  const { here, calls, shown, older, isOlder, title = webhookWords.calls } = props;
  return (
    <section id="calls">
      <h2>{title}</h2>
      <nav class="tabs" aria-label={webhookWords.callFilter}>
        {CALL_FILTERS.map((state) => (
          <a href={callsAddress(here, state)} aria-current={state === shown ? 'page' : undefined}>
            {webhookWords.callStates[state]}
          </a>
        ))}
      </nav>
      {calls.length === 0 ? (
        <Empty icon="webhook" title={webhookWords.emptyTitle}>
          <p>{props.empty ?? webhookWords.empty}</p>
        </Empty>
      ) : (
        <CallTable {...props} title={title} />
      )}
      {(isOlder || older !== null) && (
        <nav class="pages" aria-label={webhookWords.pages}>
          {isOlder ? <a href={callsAddress(here, shown)}>{webhookWords.newest}</a> : <span />}
          {older !== null && (
            <a href={older} rel="next">
              {webhookWords.older} <Icon name="chevron-right" />
            </a>
          )}
        </nav>
      )}
      {props.mayRetry && props.redeliverAt !== null && (
        <p>
          <LinkButton href={props.redeliverAt} icon="rotate-ccw">
            {redeliveryWords.open}
          </LinkButton>
        </p>
      )}
      {props.apiUrl !== null && <AsCurl url={props.apiUrl} />}
    </section>
  );
}

/** The choices of calls, in the order in which they are shown. */
export const CALL_FILTERS = Object.keys(
  webhookWords.callStates,
) as (keyof typeof webhookWords.callStates)[];

/** Returns the address of the list of calls on the page of a webhook. */
export function callsAddress(here: string, state: string, before = ''): string {
  return `${withQuery(here, state, before)}#calls`;
}

/** Returns an address with what selects calls there, the same on the page and in the API. */
export function withQuery(address: string, state: string, before: string): string {
  const query = new URLSearchParams();
  if (state !== '') query.set('state', state);
  if (before !== '') query.set('before', before);
  return query.size === 0 ? address : `${address}?${query.toString()}`;
}

function CallTable({ calls, here, title, mayRetry }: CallsProps) {
  const { columns } = callWords;
  return (
    <div class="panel">
      <Table
        caption={title}
        head={[
          columns.at,
          columns.state,
          { number: columns.code },
          { number: columns.duration },
          { number: columns.tries },
          columns.next,
          mayRetry && columns.again,
        ]}
      >
        {calls.map((call) => (
          <CallRow {...call} {...{ here, mayRetry }} />
        ))}
      </Table>
    </div>
  );
}

function CallRow(call: CallShown & { here: string; mayRetry: boolean }) {
  const { columns } = callWords;
  const { state, lastTry, nextAttemptAt, submission } = call;
  return (
    <tr>
      <th scope="row">
        {submission ? (
          <a class="row" href={submissionAddress(submission.identifier, submission.id, null)}>
            <Time at={call.plannedAt} />
          </a>
        ) : (
          <Time at={call.plannedAt} />
        )}
      </th>
      <td class="wide">
        <State kind={STATE_KINDS[state]}>{callWords.states[state]}</State>
        {state !== 'delivered' && (
          <p class="hint">{lastTry ? sentenceOf(lastTry) : webhookWords.noTry}</p>
        )}
      </td>
      <td class="number" data-label={columns.code}>
        {lastTry?.code}
      </td>
      <td class="number quiet" data-label={columns.duration}>
        {lastTry && callWords.took(lastTry.durationMs)}
      </td>
      <td class="number quiet" data-label={columns.tries}>
        {call.tries}
      </td>
      <td class="quiet" data-label={columns.next}>
        {nextAttemptAt && <Time at={nextAttemptAt} />}
      </td>
      {call.mayRetry && <td>{submission && <SendAgain {...call} of={submission} />}</td>}
    </tr>
  );
}

/** Sends a call again, and comes back to this page. */
function SendAgain(props: {
  id: string;
  of: { identifier: string; id: string };
  state: CallShown['state'];
  here: string;
}) {
  const { id, of, state, here } = props;
  if (state === 'delivering') return null;
  return (
    <ActionForm action={`/inbox/${of.identifier}/${of.id}/deliveries/${id}/attempts`} class="above">
      <Button kind="plain" icon="rotate-ccw" name="to" value={here}>
        {state === 'pending' ? callWords.sendNow : callWords.sendAgain}
      </Button>
    </ActionForm>
  );
}
