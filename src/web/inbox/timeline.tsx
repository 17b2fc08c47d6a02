import type { SpamPart } from '../../spam/verdict.js';
import { ActionForm, Button } from '../layout/controls.js';
import { State } from '../layout/content.js';
import { Time } from '../layout/time.js';
import { words } from '../words.js';

/** A delivery with its attempts. */
export interface DeliveryShown {
  id: string;
  kind: keyof typeof words.submission.kinds;
  recipient: string;
  state: keyof typeof words.submission.states;
  nextAttemptAt: Date | null;
  /** False for a call of a webhook that is switched off, and while it is under way. */
  canBeTried: boolean;
  attempts: { at: Date; durationMs: number; outcome: string; answer: string | null }[];
}

/** A mark that a submission has, since when, and who gave it. */
export interface GivenShown {
  what: string;
  at: Date;
  by: string;
}

interface TimelineProps {
  receivedAt: Date;
  /** Why it is clean, held or spam. */
  parts: readonly SpamPart[];
  deliveries: DeliveryShown[];
  given: GivenShown[];
  mayTriage: boolean;
  /** Address of the submission. */
  here: string;
}

/** Draws what became of a submission: received, then each delivery with its attempts. */
export function Timeline(props: TimelineProps) {
  const { submission } = words;
  return (
    <section id="timeline" data-fresh>
      <h2>{submission.timeline}</h2>
      <ol class="timeline">
        <li>
          <State kind="good">{submission.received}</State>
          <p class="hint">
            <Time at={props.receivedAt} />
          </p>
        </li>
        {props.parts.length > 0 && (
          <li>
            <State kind="quiet">{submission.judged}</State>
            {props.parts.map(({ points, reason }) => (
              <p class="hint">
                {reason} ({submission.points(points)})
              </p>
            ))}
          </li>
        )}
        {props.deliveries.map((delivery) => (
          <DeliveryItem {...delivery} here={props.here} mayTriage={props.mayTriage} />
        ))}
        {props.deliveries.length === 0 && (
          <li>
            <State kind="quiet">{submission.nothingSent}</State>
          </li>
        )}
        {props.given.map(({ what, at, by }) => (
          <li>
            <State kind="quiet">{what}</State>
            <p class="hint" dir="auto">
              {submission.given.by(by)} <Time at={at} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  );
}

const KINDS = { pending: 'quiet', delivering: 'quiet', delivered: 'good', failed: 'bad' } as const;

function DeliveryItem(props: DeliveryShown & { here: string; mayTriage: boolean }) {
  const { submission } = words;
  const { kind, state, recipient, attempts, nextAttemptAt } = props;
  return (
    <li>
      <State kind={KINDS[state]}>{`${submission.kinds[kind]}: ${submission.states[state]}`}</State>
      <p class="hint">{recipient}</p>
      {attempts.map(({ at, durationMs, outcome, answer }) => (
        <p class="hint">
          <Time at={at} />: {answer ?? outcome} ({submission.took(durationMs)})
        </p>
      ))}
      {state === 'pending' && nextAttemptAt === null && <p class="hint">{submission.withheld}</p>}
      {state === 'pending' && nextAttemptAt !== null && (
        <p class="hint">
          {submission.nextTry} <Time at={nextAttemptAt} />
        </p>
      )}
      {props.mayTriage && props.canBeTried && (
        <ActionForm action={`${props.here}/deliveries/${props.id}/attempts`}>
          <Button kind="plain" icon="rotate-ccw">
            {state === 'pending' ? submission.sendNow : submission.sendAgain}
          </Button>
        </ActionForm>
      )}
    </li>
  );
}
