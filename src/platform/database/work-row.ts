import { Column } from 'typeorm';
import type { DomainError } from '../kernel/errors.js';
import { makeUuid, timeOf } from '../kernel/uuid.js';
import { Time, UuidKey } from './columns.js';

/** The maker of work, where they act, and as whom. */
export interface Maker<Kind extends string> {
  accountId: number;
  clientId: number | null;
  actor: { kind: Kind; id: number | null };
}

const NAME_MAX = 255;

/** Work that somebody asked for and that goes on without them, by a job, until it ends. */
export abstract class WorkRow<State extends string, Kind extends string> {
  /** A UUID version 7: its time is when the row was made. */
  @UuidKey() id: Buffer;
  @Column('int') accountId: number;
  /** Null for work of the account itself. */
  @Column('int', { nullable: true }) clientId: number | null;
  @Column('varchar', { length: 16 }) protected actorKind: Kind;
  @Column('int', { nullable: true }) protected actorId: number | null;
  @Column('varchar', { length: NAME_MAX }) actorName: string;
  @Column('varchar', { length: 16 }) state: State;
  @Column('varchar', { length: 64, nullable: true }) errorCode: string | null;
  @Column('text', { nullable: true }) errorMessage: string | null;
  @Time({ nullable: true }) endedAt: Date | null;

  get createdAt(): Date {
    return timeOf(this.id);
  }

  /** Returns the key of its job. */
  jobOf<Job extends string>(kind: Job) {
    const { accountId, clientId } = this;
    return { kind, subject: this.id.toString('hex'), accountId, clientId };
  }

  get maker(): Maker<Kind> {
    const { accountId, clientId, actorKind: kind, actorId: id } = this;
    return { accountId, clientId, actor: { kind, id } };
  }

  /** Begins it. */
  protected startFor(
    { accountId, clientId, actor }: Maker<Kind> & { actor: { name: string } },
    state: State,
  ): void {
    const { kind: actorKind, id: actorId } = actor;
    Object.assign(this, {
      ...{ id: makeUuid(), accountId, clientId, actorKind, actorId, state },
      actorName: actor.name.slice(0, NAME_MAX),
      ...{ errorCode: null, errorMessage: null, endedAt: null },
    });
  }

  end(state: State, now: Date): void {
    this.state = state;
    this.endedAt = now;
  }

  /** Ends it because of a rule that it would break. */
  protected failAs(state: State, { code, message }: DomainError, now: Date): void {
    this.errorCode = code;
    this.errorMessage = message;
    this.end(state, now);
  }
}

/** Returns the filter for work in a scope: an account sees all of its own, a client what was asked for as it. */
export function visibleTo({ accountId, clientId }: { accountId: number; clientId: number | null }) {
  return clientId === null ? { accountId } : { accountId, clientId };
}
