import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { GoesWith, Time, UuidKey } from '../../platform/database/index.js';
import { DAY_MS, formatUuid, makeUuid } from '../../platform/index.js';
import type { AuditTarget } from '../../accounts/audit/audit-entry.entity.js';
import type { DeliveriesOf } from '../../deliveries/model/delivery-filter.js';
import type { Form } from '../../forms/model/form.entity.js';
import type { KindName } from '../kinds/kinds.js';
import type { Choice, Condition, Matching } from './condition.js';
import {
  firstId,
  firstOf,
  isOfForm,
  saidBy,
  type Role,
  type SaidByForm,
  placeOf,
  type Place,
} from './kind-settings.js';

/** Longest name, in characters. */
export const NAME_MAX = 100;
/** How long calls must fail until a destination is paused, in milliseconds. */
const FAILING_MAX_MS = 5 * DAY_MS;

/** The part of a destination that people set, without what its kind needs. */
export interface DestinationSettings {
  name: string;
  match: Matching;
  conditions: Condition[];
  paused: boolean;
}

/** Stores a place where submissions go, and which of them do. */
@Entity('destinations')
@GoesWith<Destination>('formId')
@Index('ix_destinations_account', ['accountId', 'formId'])
@Index('ix_destinations_form', ['formId'])
@Index('ix_destinations_client', ['clientId'])
export class Destination implements Place, Choice {
  @UuidKey() id: Buffer;
  @Column('int') accountId: number;
  /** Null for one of a client or of the account. */
  @Column('int', { nullable: true }) formId: number | null;
  /** The client whose forms it serves; null for one of a form or of the account. */
  @Column('int', { nullable: true }) clientId: number | null;
  /** Place in the list of its form, from 1. */
  @Column('int') position: number;
  @Column('varchar', { length: NAME_MAX }) name: string;
  @Column('varchar', { length: 16 }) kind: KindName;
  /** The host that is called; null for mails. */
  @Column('varchar', { length: 255, nullable: true }) host: string | null;
  /** Settings of its kind that may be seen, as JSON. */
  @Column('mediumtext', { name: 'settings' }) private open: string;
  /** Settings of its kind that must not be seen, as JSON that `SecretBox` sealed; null for nothing. */
  @Column('mediumtext', { nullable: true }) sealed: string | null;
  /** Whether all conditions must hold, or any. */
  @Column('varchar', { name: 'matching', length: 3 }) match: Matching;
  @Column('mediumtext', { name: 'conditions' }) private encodedConditions: string;
  /** Since when nothing is sent there; null while it is. */
  @Time({ nullable: true }) pausedAt: Date | null;
  /** Since when every call has failed; null after a success. */
  @Time({ nullable: true }) failingSince: Date | null;
  @Time() createdAt: Date;
  /** Settings of its form, which the row does not have; absent but for the first destinations of a form. */
  said?: SaidByForm;

  static create({ accountId, formId, clientId }: Place, kind: KindName, now: Date): Destination {
    return Object.assign(new Destination(), {
      id: makeUuid(),
      ...{ accountId, formId, clientId, kind },
      ...{ position: 0, name: '', open: '{}', host: null, sealed: null, match: 'all' as const },
      ...{ encodedConditions: '[]', pausedAt: null, failingSince: null, createdAt: now },
    });
  }

  /**
   * Makes one of the first destinations of a form.
   * @param row what is stored of it; undefined for nothing
   */
  static first(form: Form, role: Role, row?: Destination): Destination {
    const { kind, name } = firstOf(role);
    const begun = row ?? Destination.create(placeOf(form), kind, form.createdAt);
    const known = row ? {} : { id: firstId(form.id, role), name };
    return Object.assign(new Destination(), begun, known, { said: saidBy(form, role) });
  }

  /** Settings of its kind that may be seen. */
  get settings(): Record<string, string> {
    return { ...(JSON.parse(this.open) as Record<string, string>), ...this.said?.settings };
  }

  set settings(settings: Record<string, string>) {
    const { role } = this;
    const stored = Object.entries(settings).filter(([name]) => !role || !isOfForm(role, name));
    this.open = JSON.stringify(Object.fromEntries(stored));
  }

  /** Which of the first destinations of its form it is; null for the others. */
  get role(): Role | null {
    return this.said?.role ?? null;
  }

  /** Whether nothing is planned for it, since a setting of its form turns it off or names no address. */
  get isOff() {
    const { said } = this;
    return said !== undefined && !(said.isOn ?? said.settings.url !== undefined);
  }

  /** Its deliveries; for a form's first destinations, they are told by their kind. */
  get deliveries(): DeliveriesOf {
    const { id, role, formId } = this;
    if (!role) return { destinationId: id };
    const kinds = [firstOf(role).delivery, ...(role === 'visitor' ? (['opt_in'] as const) : [])];
    return { formId: formId ?? 0, kinds, destinationId: null };
  }

  /** Names it in the audit log. */
  get target(): AuditTarget {
    return { kind: 'destination', id: formatUuid(this.id), name: this.name };
  }

  get conditions(): Condition[] {
    return JSON.parse(this.encodedConditions) as Condition[];
  }

  /** Tells whether it serves all forms of the account, so that its mails look like the account and no client. */
  get isForAccount() {
    return this.formId === null && this.clientId === null;
  }

  get isPaused() {
    return this.said?.isOn === false || this.pausedAt !== null;
  }

  /** Returns when it is paused if every call goes on failing; null while they do not fail. */
  get failsUntil(): Date | null {
    return this.failingSince && new Date(this.failingSince.getTime() + FAILING_MAX_MS);
  }

  /** Tells whether it was paused because every call failed for too long, and not by hand. */
  get isGivenUp() {
    const { pausedAt, failsUntil } = this;
    return pausedAt !== null && failsUntil !== null && pausedAt >= failsUntil;
  }

  /** Applies what is given; the rest stays. */
  change({ name, match, conditions, paused }: Partial<DestinationSettings>, now: Date) {
    if (name !== undefined) this.name = name;
    if (match !== undefined) this.match = match;
    if (conditions !== undefined) this.encodedConditions = JSON.stringify(conditions);
    // Where a setting of the form says so, it is changed there.
    if (typeof this.said?.isOn === 'boolean') return;
    if (paused === true) this.pausedAt ??= now;
    if (paused === false) Object.assign(this, { pausedAt: null, failingSince: null });
  }

  /**
   * Records how a call ended.
   * @returns whether this call pauses it
   */
  note(succeeded: boolean, now: Date) {
    if (succeeded) {
      this.failingSince = null;
      return false;
    }
    this.failingSince ??= now;
    const tooLong = now.getTime() - this.failingSince.getTime() >= FAILING_MAX_MS;
    if (!tooLong || this.isPaused) return false;
    this.pausedAt = now;
    return true;
  }
}

/** Stores that a form sends nothing to a destination of a client or of the account. */
@Entity('destination_exclusions')
@GoesWith<DestinationExclusion>('formId')
@Index('ix_destination_exclusions_destination', ['destinationId'])
export class DestinationExclusion {
  @PrimaryColumn('int') formId: number;
  @UuidKey() destinationId: Buffer;
}
