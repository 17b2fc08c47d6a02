import { BY_TIME, Pages, State, Time, Table, Tabs, Section, ActionButton } from '../parts/index.js';
import { submissionAddress } from '../addresses/folders.js';
import { AsCurl } from '../layout/shell.js';
import { callWords, sentenceOf, STATE_KINDS, type TryShown } from '../deliveries/test-result.js';
import { toldState, type DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { formatUuid } from '../../platform/index.js';

/** Words of the list of what a destination was sent. */
const logWords = {
  title: 'Sent',
  states: { '': 'All', pending: 'Pending', delivered: 'Delivered', failed: 'Failed' },
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
  shown: keyof typeof logWords.states;
  /** Address of older ones; null on the last page. */
  older: string | null;
  isOlder: boolean;
  /** Address in the API of what is shown; null for people of a client. */
  apiUrl: string | null;
  /** Whether a call can be sent again now, by this person. */
  mayRetry: boolean;
  /** How many failed and can be sent again, up to 500. */
  failed: number;
}

/**
 * Returns a delivery as a list of calls shows it.
 * @param identifier of its form; null when the reader may not see submissions
 */
export function callOf(sent: DeliveryWithAttempts, identifier: string | null): CallShown {
  const { delivery, attempts } = sent;
  const { id, submissionId, createdAt, nextTryAt: nextAttemptAt } = delivery;
  return {
    id: formatUuid(id),
    submission: submissionId && identifier !== null ? { identifier, id: formatUuid(submissionId) } : null,
    ...{ state: toldState(sent), nextAttemptAt, plannedAt: createdAt },
    tries: attempts.length,
    lastTry: attempts.at(-1) ?? null,
  };
}

/** Draws what a destination was sent, one state at a time. */
export function Calls(props: CallsProps) {
  const { here, calls, shown, older, isOlder } = props;
  return (
    <Section id="calls" title={logWords.title}>
      <Tabs
        label="Filter by state"
        tabs={CALL_FILTERS.map((state) => ({
          ...{ name: logWords.states[state], href: callsAddress(here, state) },
          isNow: state === shown,
        }))}
      />
      {calls.length === 0 ? (
        <p class="hint">
          {shown === '' ? 'Deliveries appear here. Successful ones are removed after some time.' : 'Nothing here'}
        </p>
      ) : (
        <CallTable {...props} />
      )}
      <Pages
        pages={{ first: isOlder ? callsAddress(here, shown) : null, next: older }}
        words={BY_TIME}
        label="Pages of calls"
      />
      {props.mayRetry && props.failed > 0 && (
        <ActionButton action={`${here}/retry`} kind="plain" icon="rotate-ccw">
          {props.failed < 500 ? `Retry the ${props.failed} that failed` : 'Retry everything that failed'}
        </ActionButton>
      )}
      {props.apiUrl !== null && <AsCurl url={props.apiUrl} />}
    </Section>
  );
}

/** The choices of calls, in the order in which they are shown. */
export const CALL_FILTERS = Object.keys(logWords.states) as (keyof typeof logWords.states)[];

/** Returns the address of the list of calls on the page of a webhook. */
export function callsAddress(here: string, state: string, before = '') {
  return `${withQuery(here, state, before)}#calls`;
}

/** Returns an address with what selects calls there, the same on the page and in the API. */
export function withQuery(address: string, state: string, before: string) {
  const query = new URLSearchParams();
  if (state !== '') query.set('state', state);
  if (before !== '') query.set('before', before);
  return query.size === 0 ? address : `${address}?${query.toString()}`;
}

function CallTable({ calls, here, mayRetry }: CallsProps) {
  const { columns } = callWords;
  return (
    <Table
      caption={logWords.title}
      head={[
        'Submission',
        'State',
        { number: columns.code },
        { number: columns.duration },
        { number: columns.tries },
        columns.next,
        mayRetry && 'Send again',
      ]}
    >
      {calls.map((call) => (
        <CallRow {...call} {...{ here, mayRetry }} />
      ))}
    </Table>
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
        {state !== 'delivered' && <p class="hint">{lastTry ? sentenceOf(lastTry) : 'Not tried yet'}</p>}
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
    <ActionButton
      action={`/inbox/${of.identifier}/${of.id}/deliveries/${id}/attempts`}
      class="above"
      kind="plain"
      icon="rotate-ccw"
      name="to"
      value={here}
    >
      {state === 'pending' ? callWords.sendNow : callWords.sendAgain}
    </ActionButton>
  );
}
