import { beginningOf } from '../../deliveries/model/outcome.js';
import type { TestCall } from '../../destinations/destination-trials.js';
import { State, Section, ActionButton } from '../parts/index.js';

/** A try of a call, as the page shows it. */
export interface TryShown {
  durationMs: number;
  outcome: string;
  /** HTTP status; null when there was no response. */
  code: number | null;
  answer: string | null;
}

/** How a test ended. */
export interface TestShown extends TryShown {
  isDelivered: boolean;
}

/** Returns how a test ended, as a page shows it. */
export function testOf({ result, durationMs }: TestCall): TestShown {
  const { verdict, outcome, code, answer } = result;
  const kept = answer && beginningOf(answer);
  return { isDelivered: verdict === 'delivered', outcome, code, answer: kept, durationMs };
}

/** Draws the button that makes a test call, and what came back. */
export function Test({ test, here }: { test: TestShown | null; here: string }) {
  return (
    <Section id="test" title={callWords.test} hint="Sends a made-up submission now. It is not stored.">
      <ActionButton action={`${here}/test#test`} kind="plain" icon="send">
        {callWords.test}
      </ActionButton>
      {test && (
        <div class="panel" role="status">
          <div class="body">
            <p>
              <State kind={test.isDelivered ? 'good' : 'bad'}>
                {test.isDelivered ? 'Test delivered' : 'Test failed'}
              </State>
            </p>
            <p>
              {!test.isDelivered && `${sentenceOf(test)} `}
              <span class="quiet">
                {test.code !== null && `${callWords.columns.code} ${test.code}, `}
                {callWords.took(test.durationMs)}
              </span>
            </p>
            <Answer {...test} />
          </div>
        </div>
      )}
    </Section>
  );
}

/** Draws what the receiver said; without a response, what the connection said. */
function Answer({ code, answer }: TryShown) {
  if (answer === null || answer === '') {
    return code === null ? null : <p class="hint">The response was empty.</p>;
  }
  return (
    <>
      {code !== null && <p class="hint">Beginning of the response:</p>}
      <div class="copyable">
        <pre tabindex={0} dir="auto">
          {answer}
        </pre>
      </div>
    </>
  );
}

/** Says in words how a try ended. */
export function sentenceOf({ outcome, code }: Pick<TryShown, 'outcome' | 'code'>) {
  if ((outcome === 'refused' || outcome === 'deferred') && code !== null) {
    return code >= 300 && code < 400
      ? 'Rejected: the URL redirects, and redirects are not followed. Enter the final URL.'
      : `Rejected (HTTP ${code})`;
  }
  const known: Record<string, string | undefined> = callWords.outcomes;
  return known[outcome] ?? outcome;
}

/** Says by the state of a delivery how its state is drawn. */
export const STATE_KINDS = {
  pending: 'quiet',
  delivering: 'quiet',
  delivered: 'good',
  failed: 'bad',
  obsolete: 'quiet',
  summarised: 'quiet',
  written: 'warn',
} as const;

/** Words of calls and their outcomes. */
export const callWords = {
  states: {
    pending: 'retrying',
    delivering: 'sending',
    delivered: 'delivered',
    failed: 'failed',
    obsolete: 'obsolete',
    summarised: 'in a summary',
    written: 'saved to disk, not sent',
  },
  took: (milliseconds: number) =>
    milliseconds < 1000 ? `${milliseconds} ms` : `${(milliseconds / 1000).toFixed(1)} s`,
  sendAgain: 'Send again',
  sendNow: 'Send now',
  columns: { code: 'Status', duration: 'Duration', tries: 'Attempts', next: 'Next attempt' },
  test: 'Send a test',
  /** Sentences by the outcome of a try. */
  outcomes: {
    accepted: 'Delivered',
    refused: 'Rejected',
    gone: 'Rejected: the receiver wants no more calls (HTTP 410)',
    timed_out: 'No response in time',
    unreachable: 'The URL could not be reached.',
    forbidden_address: 'Private addresses are blocked. The operator can allow this one with WEBHOOK_ALLOWED_NETWORKS.',
    disabled: 'The destination was paused.',
    obsolete: 'The submission no longer exists.',
    failed: 'Something went wrong on our side.',
    not_possible: 'The call could not be made.',
    interrupted: 'The service was stopped during the call.',
    lost: 'The service ended during the call.',
  },
} as const;
