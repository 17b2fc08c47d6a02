import { Column, Entity, Index } from 'typeorm';
import { GoesWith, Time, Uuid, UuidKey } from '../../platform/database/index.js';
import {
  type OutcomeName,
  UNTIL_RELEASED,
  CALLS,
  type AttemptResult,
  type OptInState,
  changesOf,
  fateAfter,
  type CounterChange,
  type Fate,
  type DeliveryCounter,
} from './outcome.js';
import type { Scope } from '../../accounts/access/index.js';
import { makeUuid, timeOf, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/index.js';
import { MAIL_SERVER, nameOf, type ReceiverName } from './receivers.js';

/** Stores one attempt of a delivery, and how it ended. */
@Entity('attempts')
@Index('ix_attempts_delivery', ['deliveryId', 'id'])
export class Attempt {
  /** A UUID version 7, which rises with time. */
  @UuidKey() id: Buffer;
  @Uuid() deliveryId: Buffer;
  @Time() at: Date;
  @Column('int') durationMs: number;
  /**
   * The trigger of the attempt: the schedule, or a person (`manual`). `trigger` is a reserved word of SQL,
   * hence the column's name.
   */
  @Column('varchar', { name: 'cause', length: 10 }) trigger: 'scheduled' | 'manual';
  @Column('varchar', { length: 32 }) outcome: OutcomeName;
  @Column('int', { nullable: true }) code: number | null;
  @Column('text', { nullable: true }) answer: string | null;
}

/** The kinds of deliveries: an owner's mail, a copy for the submitter, a webhook call, a notice, a digest, a mention in a note, an export that is ready, a call of a destination, a mail that asks the visitor to confirm, a probe that goes to nobody. */
export const KINDS = [
  'owner_email',
  'submitter_email',
  'webhook',
  'owner_notice',
  'owner_digest',
  'confirmation',
  'mention',
  'export_ready',
  'destination',
  'opt_in',
  'probe',
] as const;
export type DeliveryKind = (typeof KINDS)[number];
/** The mails of which each is about one thing; a digest takes the place of several. */
export const SINGLE_MAILS: readonly DeliveryKind[] = [
  'owner_email',
  'submitter_email',
  'owner_notice',
  'confirmation',
  'mention',
  'export_ready',
  'opt_in',
];
/** The mails to somebody who signs in, about what they or others do there. */
export const TO_PEOPLE: readonly DeliveryKind[] = ['mention', 'export_ready'];
/** `obsolete`: it is over, since there is nothing left to send or nobody to send it to. */
export type DeliveryState = 'pending' | 'delivering' | 'delivered' | 'failed' | 'obsolete';
/** The states of what was sent or will be. Queries list them: an index finds no rows by what they are not. */
export const NOT_FAILED: readonly DeliveryState[] = ['pending', 'delivering', 'delivered'];

/** A delivery before it is stored. */
export interface PlannedDelivery {
  /** Its id, where another row names it; absent for a new one. */
  id?: Buffer;
  kind: DeliveryKind;
  /** An email address, the URL of a webhook, or the host of a destination: its address may be a secret. */
  recipient: string;
  /** The destination that causes it; null or absent for what the settings of the form cause. */
  destinationId?: Buffer | null;
  /** Whether that destination takes what all forms of the account or of a client get. */
  isOfAccount?: boolean;
  /** Whether it goes out although its submission is held or spam, as its destination asks. */
  isAskedFor?: boolean;
  /** Whether it tells owners of what is held, so that they look at it. */
  tellsOfHeld?: boolean;
  /** It is withheld until then, or until it is released; absent: due at once. */
  withheldUntil?: Date;
}

/** Stores one delivery: a mail or a webhook call, for a submission or for the state of a form. */
@Entity('deliveries')
@Index('ix_deliveries_due', ['state', 'nextAttemptAt'])
@Index('ix_deliveries_submission', ['submissionId'])
@Index('ix_deliveries_form', ['formId', 'kind', 'state', 'id'])
@Index('ix_deliveries_destination', ['destinationId', 'id'])
@Index('ix_deliveries_recipient', ['recipientKey', 'kind', 'state', 'id'])
export class Delivery {
  /** A UUID version 7. Receivers see it too, the same on every attempt. */
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  /** Null when it is about the form itself. */
  @Uuid({ nullable: true }) submissionId: Buffer | null;
  /** Null for what the settings of the form cause. */
  @Uuid({ nullable: true }) destinationId: Buffer | null;
  /** Whether its destination takes what all forms of the account or of a client get. */
  @Column('boolean', { default: false }) ofAccount: boolean;
  /** Whether it goes out although its submission is held or spam. */
  @Column('boolean', { default: false }) askedFor: boolean;
  @Column('varchar', { length: 16 }) kind: DeliveryKind;
  @Column('text') recipient: string;
  /** The recipient as caps and indexes compare it: the address in lower case without its tag, or the host. */
  @Column('varchar', { length: 255 }) recipientKey: string;
  @Column('varchar', { length: 10 }) state: DeliveryState;
  /** Attempts of the schedule so far; those asked for by a person do not count. */
  @Column('int') scheduledAttempts: number;
  /** When it is attempted next; null when it is not. */
  @Time({ nullable: true }) nextAttemptAt: Date | null;
  /** Set by the worker that claimed it; null when no worker has it. */
  @Uuid({ nullable: true }) leaseToken: Buffer | null;
  /** When another worker may take it over, by the database's clock. */
  @Time({ nullable: true }) leaseUntil: Date | null;
  /** When it was delivered, failed or became obsolete. */
  @Time({ nullable: true }) settledAt: Date | null;
  /** Outcome of the delivery, as statistics count it; null until its first attempt has ended. */
  @Column('varchar', { length: 10, nullable: true }) fate: Fate | null;

  /** Creates a delivery that is due `now`, or when it is no longer withheld. Its id may have a later time when the clock was set back. */
  static create(formId: number, submissionId: Buffer | null, plan: PlannedDelivery, now: Date): Delivery {
    const { kind, recipient, withheldUntil, destinationId = null } = plan;
    const { id = makeUuid(), isOfAccount = false, isAskedFor = false } = plan;
    return Object.assign(new Delivery(), {
      id,
      formId,
      submissionId,
      destinationId,
      ofAccount: isOfAccount,
      askedFor: isAskedFor,
      kind,
      recipient,
      recipientKey: keyOf(kind, recipient),
      state: 'pending',
      scheduledAttempts: 0,
      nextAttemptAt: withheldUntil ?? now,
      leaseToken: null,
      leaseUntil: null,
      settledAt: null,
      fate: null,
    } satisfies Partial<Delivery>);
  }

  get createdAt(): Date {
    return timeOf(this.id);
  }

  /** Returns when it is attempted next; null when it is not, or not before a person releases it. */
  get nextTryAt(): Date | null {
    const { nextAttemptAt: at } = this;
    return at !== null && at < UNTIL_RELEASED ? at : null;
  }

  /** Tells whether it goes to somebody who signs in. */
  get isToPerson() {
    return TO_PEOPLE.includes(this.kind);
  }

  /** Tells whether somebody may know of it: a client knows neither people of the account nor its destinations. */
  isShownTo({ clientId }: Pick<Scope, 'clientId'>) {
    return clientId === null || (!this.isToPerson && !this.ofAccount);
  }

  /**
   * Applies an attempt's result: delivered, rescheduled, failed or obsolete. An interrupted attempt does not count.
   * @returns what that changes in the counts
   */
  settle(ended: AttemptResult, scheduled: boolean, now: Date): CounterChange[] {
    const { fate } = this;
    const { verdict: result, outcome, retryAfterMs } = ended;
    const interrupted = result === 'interrupted';
    if (scheduled && !interrupted) this.scheduledAttempts++;
    this.leaseToken = null;
    this.leaseUntil = null;
    const over = result === 'refused' || this.scheduledAttempts >= MAX_ATTEMPTS;
    if (result === 'delivered') this.state = 'delivered';
    else if (outcome === 'obsolete') this.state = 'obsolete';
    else this.state = over ? 'failed' : 'pending';
    const again = interrupted
      ? new Date(now.getTime() + (retryAfterMs ?? 0))
      : nextAttemptAt(this.scheduledAttempts, retryAfterMs, now);
    const pending = this.state === 'pending';
    this.nextAttemptAt = pending ? again : null;
    this.settledAt = pending ? null : now;
    this.fate = fateAfter(fate, ended, this.state);
    return changesOf(this, fate);
  }

  /**
   * Applies that the mail came back after a server had accepted it.
   * @returns what that changes in the counts
   */
  comeBack(now: Date): CounterChange[] {
    const { fate } = this;
    this.state = 'failed';
    this.nextAttemptAt = null;
    this.settledAt = now;
    this.fate = 'failed';
    return changesOf(this, fate);
  }
}

/** Removes the tag of an address: `ann+shop@example.com` reaches Ann, so caps count it as hers. */
function withoutTag(address: string) {
  return address.replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/** Returns the receiver of a delivery: what can be slow or away for many deliveries at once. */
export function receiverOf(
  { kind, recipientKey: host }: Pick<Delivery, 'kind' | 'recipientKey'>,
  accountId: number,
): ReceiverName {
  return CALLS.includes(kind) ? nameOf({ accountId, host }) : MAIL_SERVER;
}

function keyOf(kind: DeliveryKind, recipient: string) {
  const host = kind === 'webhook' ? new URL(recipient).host : recipient;
  return (CALLS.includes(kind) ? host : withoutTag(recipient)).toLowerCase().slice(0, 255);
}

/** Stores that the visitor of a submission is asked to confirm it. What nobody was asked about has no row. */
@Entity('opt_ins')
@GoesWith<OptIn>('submissionId')
@Index('ix_opt_ins_form', ['formId', 'state', 'submissionId'])
export class OptIn {
  @UuidKey() submissionId: Buffer;
  @Column('int') formId: number;
  @Column('varchar', { length: 10 }) state: OptInState;
  /** The address that is asked. */
  @Column('varchar', { length: 255 }) email: string;
  @Time() askedAt: Date;
  @Time({ nullable: true }) confirmedAt: Date | null;
  /** Whether somebody else than the visitor ended the wait. */
  @Column('boolean') byHand: boolean;
}

/**
 * Queues what the end of an attempt changes in the counts: written with it, and added to them by the transaction that
 * removes it.
 */
@Entity('counter_changes')
export class QueuedChange {
  /** A UUID version 7, which rises with time. */
  @UuidKey() id: Buffer;
  @Column('int') formId: number;
  /** Whole hours since 1970, in UTC. */
  @Column('int') hour: number;
  @Column('varchar', { length: 16 }) counter: DeliveryCounter;
  @Column('int') amount: number;
}

/** Returns a change of the counts as it waits. */
export function queued(change: CounterChange): QueuedChange {
  return { ...change, id: makeUuid() };
}

/** Stores that a mail to owners goes out within a digest of its destination, which is a delivery too. */
@Entity('digest_entries')
@Index('ix_digest_entries_digest', ['digestId', 'deliveryId'])
export class DigestEntry {
  @UuidKey() deliveryId: Buffer;
  @Uuid() digestId: Buffer;
}

/** Waits before the second and each further attempt, in milliseconds: 75 hours in all (Standard Webhooks 1.0.0). */
const WAITS_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/**
 * Largest share of a wait that is added at random, so that deliveries which failed together do not return together.
 */
const JITTER = 0.1;
/** Longest wait that a receiver may ask for, in milliseconds. */
const RETRY_AFTER_MAX_MS = 24 * HOUR_MS;

/** Attempts of the schedule before a delivery fails. */
export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/**
 * Returns when to attempt it again.
 * @param attempts how many were made so far
 * @param retryAfterMs how long the receiver asked us to wait
 */
export function nextAttemptAt(attempts: number, retryAfterMs: number | null, now: Date): Date {
  const wait = WAITS_MS[Math.max(attempts - 1, 0)] ?? 0;
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return new Date(now.getTime() + Math.max(wait * (1 + Math.random() * JITTER), asked));
}
