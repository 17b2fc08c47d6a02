import type { ComponentChildren } from 'preact';
import type { FormFields } from '../../forms/model/form-fields.js';
import { ActionButton, State, Time } from '../parts/index.js';
import { submissionWords } from './words.js';
import { toldState, type DeliveryWithAttempts } from '../../deliveries/model/delivery-filter.js';
import { formatUuid, cutAt } from '../../platform/index.js';
import type { TimelineEntry, ActTold } from '../../triage/timeline/timeline.service.js';
import { callWords, sentenceOf, STATE_KINDS } from '../deliveries/test-result.js';
import type { FieldChange } from '../../submissions/acts/submission-act.entity.js';
import { rowWords } from '../rows/submission-table.js';

/** A delivery with its attempts. */
interface DeliveryShown {
  id: string;
  kind: keyof typeof submissionWords.kinds;
  recipient: string;
  /** Name of its destination; null for none. */
  destinationName: string | null;
  state: keyof typeof callWords.states;
  nextAttemptAt: Date | null;
  /** Whether it waits for the visitor to confirm. */
  isWaiting: boolean;
  /** False for a call of a webhook that is switched off, and while it is under way. */
  canBeTried: boolean;
  attempts: { at: Date; durationMs: number; outcome: string; code: number | null; answer: string | null }[];
}

/** An entry of the timeline, with what can be done about a delivery. */
export type EntryShown =
  | Exclude<TimelineEntry, { what: 'delivery' }>
  | { at: Date; what: 'delivery'; delivery: DeliveryShown };

/**
 * Returns a delivery as the page shows it.
 * @param isOff whether the form calls its webhook no more
 * @param waits whether the submission waits for its visitor
 */
export function deliveryShown(sent: DeliveryWithAttempts, isOff: boolean, waits: boolean): DeliveryShown {
  const { delivery, attempts, destinationName = null } = sent;
  const { id, kind, recipient, nextTryAt: nextAttemptAt } = delivery;
  const state = toldState(sent);
  const isWaiting = waits && kind !== 'opt_in';
  return {
    ...{ kind, recipient, destinationName, state, nextAttemptAt, isWaiting },
    id: formatUuid(id),
    canBeTried: !isWaiting && state !== 'delivering' && !(isOff && kind === 'webhook'),
    attempts: attempts.map(({ at, durationMs, outcome, code, answer }) => ({
      ...{ at, durationMs, outcome, code, answer },
    })),
  };
}

/** Tags that one change gave or took have times that differ by less, in milliseconds. */
const AT_ONCE_MS = 1_000;

/** The most that is shown of a value before and after an edit, in characters. */
const CHANGE_MAX = 200;

interface TimelineProps {
  /** Oldest first. */
  entries: EntryShown[];
  mayTriage: boolean;
  /** Whether a client's person reads it, who sees nothing of addresses, servers and settings. */
  isOfClient: boolean;
  /** Address of the submission. */
  here: string;
  labels: FormFields;
}

/** Draws what became of a submission: received, judged, its deliveries with their attempts, and who did what. */
export function Timeline({ entries, ...rest }: TimelineProps) {
  const begun = entries.filter(({ what }) => what === 'received' || what === 'judged');
  const team = rest.isOfClient ? entries.flatMap(teamMailOf) : [];
  const others = entries.slice(begun.length).filter((entry) => !rest.isOfClient || teamMailOf(entry).length === 0);
  return (
    <section id="timeline" data-fresh>
      <h2>Activity</h2>
      <ol class="timeline">
        {begun.map((entry) => (
          <Entry entry={entry} {...rest} />
        ))}
        {!entries.some(({ what }) => what === 'delivery') && (
          <li>
            <State kind="quiet">No notifications configured</State>
          </li>
        )}
        {team.length > 0 && <TeamMails mails={team} />}
        {togetherTagged(others).map((entry) => (
          <Entry entry={entry} {...rest} />
        ))}
      </ol>
    </section>
  );
}

/** Makes one entry of tags that somebody gave, or took, one after the other within a moment. */
function togetherTagged(entries: readonly EntryShown[]) {
  const shown: EntryShown[] = [];
  for (const entry of entries) {
    const before = shown.at(-1);
    if (before && 'tag' in before && 'tag' in entry && isOneChange(before, entry)) {
      shown[shown.length - 1] = { ...before, tag: `${before.tag ?? ''}”, “${entry.tag ?? ''}` };
    } else {
      shown.push(entry);
    }
  }
  return shown;
}

/** Tells whether somebody changed these tags at once. */
function isOneChange(one: ActTold & { at: Date }, other: ActTold & { at: Date }) {
  const isOfTags = one.tag !== null && one.what === other.what && one.by?.name === other.by?.name;
  return isOfTags && other.at.getTime() - one.at.getTime() < AT_ONCE_MS;
}

function Entry({ entry, ...rest }: { entry: EntryShown } & Omit<TimelineProps, 'entries'>) {
  switch (entry.what) {
    case 'received':
      return (
        <li>
          <State kind="good">Received and stored</State>
          <p class="hint">
            <Time at={entry.at} />
          </p>
        </li>
      );
    case 'confirmed':
      return <ActItem what="Confirmed by the visitor" by={null} at={entry.at} />;
    case 'judged':
      return (
        <li>
          <State kind="quiet">Spam check</State>
          {entry.verdict.parts.map(({ points, reason }) => (
            <p class="hint">
              {reason} ({points > 0 ? '+' : ''}
              {points})
            </p>
          ))}
        </li>
      );
    case 'delivery':
      return <DeliveryItem {...entry.delivery} {...rest} />;
    case 'note':
      return <ActItem what="Note added" by={entry.note.authorName} at={entry.at} />;
    default:
      return (
        <ActItem what={actOf(entry)} by={entry.by?.name ?? null} at={entry.at}>
          {entry.changes?.length === 0 && <p class="hint">We no longer keep what changed.</p>}
          {entry.changes?.map((change) => (
            <Change {...change} label={rest.labels.labelOf(change.field)} />
          ))}
        </ActItem>
      );
  }
}

/** Says what somebody did to a submission. */
function actOf({ what, tag, assignee }: ActTold) {
  const { acts } = submissionWords;
  if (what === 'tagged' || what === 'untagged') return acts[what](tag ?? '');
  if (what === 'assigned') return `Assigned to ${assignee?.name ?? rowWords.somebody}`;
  return acts[what];
}

interface ActItemProps {
  what: string;
  by: string | null;
  at: Date;
  children?: ComponentChildren;
}

function ActItem({ what, by, at, children }: ActItemProps) {
  return (
    <li>
      <State kind="quiet">{what}</State>
      {children}
      <p class="hint" dir="auto">
        {by !== null && `by ${by},`} <Time at={at} />
      </p>
    </li>
  );
}

/** Draws what a field was and what it became; the API shows the whole of long ones. */
function Change({ label, before, after }: FieldChange & { label: string }) {
  const { nothing } = submissionWords.edit;
  return (
    <p class="hint change">
      {label}: {before ? <del dir="auto">{cutAt(before, CHANGE_MAX)}</del> : nothing} →{' '}
      {after ? <ins dir="auto">{cutAt(after, CHANGE_MAX)}</ins> : nothing}
    </p>
  );
}

function DeliveryItem(props: DeliveryShown & Omit<TimelineProps, 'entries' | 'labels'>) {
  const { kind, state, recipient, destinationName: name, nextAttemptAt, isOfClient } = props;
  const attempts = isOfClient ? [] : props.attempts;
  const isHeld = state === 'pending' && nextAttemptAt === null;
  const said = isHeld ? 'waiting' : isOfClient && state === 'written' ? 'not sent' : callWords.states[state];
  return (
    <li>
      <State kind={STATE_KINDS[state]}>{`${submissionWords.kinds[kind]}: ${said}`}</State>
      <p class="hint" dir="auto">
        {name === null ? recipient : `${name} (${recipient})`}
      </p>
      {attempts.map((attempt) => (
        <p class="hint">
          <Time at={attempt.at} />: {resultOf(kind, attempt)}
          {!isReport(attempt) && ` (${callWords.took(attempt.durationMs)})`}
        </p>
      ))}
      {isHeld && <p class="hint">{submissionWords[props.isWaiting ? 'withheldForVisitor' : 'withheld']}</p>}
      {state === 'pending' && nextAttemptAt !== null && (
        <p class="hint">
          Next attempt <Time at={nextAttemptAt} />
        </p>
      )}
      {props.mayTriage && props.canBeTried && (
        <ActionButton action={`${props.here}/deliveries/${props.id}/attempts`} kind="plain" icon="rotate-ccw">
          {state === 'pending' ? callWords.sendNow : callWords.sendAgain}
        </ActionButton>
      )}
    </li>
  );
}

/** Says how an attempt ended: what a mail server answered; of a call its status, and what was answered. */
function resultOf(kind: DeliveryShown['kind'], attempt: DeliveryShown['attempts'][number]) {
  const { outcome, answer } = attempt;
  const reports: Record<string, string | undefined> = submissionWords.reports;
  const report = reports[outcome];
  if (report !== undefined) return `${report}: ${answer ?? ''}`;
  if (kind !== 'webhook') return answer ?? outcome;
  return answer === null ? sentenceOf(attempt) : `${sentenceOf(attempt)} ${answer}`;
}

/** Returns the delivery of an entry where that is a mail to the team. */
function teamMailOf(entry: EntryShown) {
  const isMail = entry.what === 'delivery' && entry.delivery.kind.startsWith('owner_');
  return isMail ? [entry.delivery] : [];
}

/** Says in one line to a client's person whether the team was notified. */
function TeamMails({ mails }: { mails: DeliveryShown[] }) {
  const states = mails.map(({ state }) => state);
  const isTold = states.includes('delivered');
  const said = states.includes('summarised') ? 'Team notified in a summary' : 'Team not notified yet';
  return (
    <li>
      <State kind={isTold ? 'good' : 'quiet'}>{isTold ? 'Team notified' : said}</State>
    </li>
  );
}

/** Tells whether it is no attempt, but what a server said of one later. */
function isReport({ outcome }: DeliveryShown['attempts'][number]) {
  return outcome in submissionWords.reports;
}
