import { createHash } from 'node:crypto';
import {
  Column,
  IsNull,
  LessThanOrEqual,
  Raw,
  type EntityManager,
  type FindOptionsOrder,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import type { DomainError } from '../kernel/errors.js';
import { formatUuid, makeUuid, timeOf } from '../kernel/uuid.js';
import { Time, Uuid, UuidKey } from './columns.js';
import { databaseTime } from './select-rows.js';
import { TransactionalRepository } from './sql.js';

/** A row that one worker at a time has for itself. */
export abstract class LeasedRow {
  /** A UUID version 7: its time is when the row was made. */
  @UuidKey() id: Buffer;
  @Uuid({ nullable: true }) leaseToken: Buffer | null;
  /** When another worker may take it over, by the database's clock. */
  @Time({ nullable: true }) leaseUntil: Date | null;

  get createdAt(): Date {
    return timeOf(this.id);
  }
}

/** A row that asks for work at a time, and again later. */
export abstract class DueRow extends LeasedRow {
  @Time() nextAt: Date;
}

/** Returns an id of what a row asks for at its time, the same for each try. */
export function turnIdOf({ id, nextAt }: Pick<DueRow, 'id' | 'nextAt'>): string {
  const hash = createHash('sha256').update(id).update(nextAt.toISOString()).digest();
  return formatUuid(hash.subarray(0, 16));
}

/** The maker of work, where they act, and as whom. */
export interface Maker<Kind extends string> {
  accountId: number;
  clientId: number | null;
  actor: { kind: Kind; id: number | null };
}

const NAME_MAX = 255;

/** Work that somebody asked for and that goes on without them, portion by portion, until it ends. */
export abstract class WorkRow<State extends string, Kind extends string> extends LeasedRow {
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
      ...{ errorCode: null, errorMessage: null, leaseToken: null, leaseUntil: null, endedAt: null },
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

/** Rows that are work to do; of several workers one has a row for itself, by the clock of the database. */
export interface Leases<Row> {
  /** Claims a row that no other worker has. @returns null when there is none, or another was faster */
  claimNext(tx: EntityManager, token: Buffer, seconds: number): Promise<Row | null>;
  /** @returns false when the lease was lost */
  renew(tx: EntityManager, row: Row, token: Buffer, seconds: number): Promise<boolean>;
  release(tx: EntityManager, row: Row, token: Buffer): Promise<void>;
}

/** Leases rows to workers, by the clock of the database. */
export abstract class LeasedRowsRepository<Row extends LeasedRow> extends TransactionalRepository {
  protected abstract readonly rows: Repository<Row>;

  /** Keeps a claimed row, with what is known of it. @returns false when the lease was lost */
  async renew({ id }: Row, token: Buffer, seconds: number, known: object = {}): Promise<boolean> {
    const leaseUntil = this.timeIn(seconds);
    return this.change({ id, leaseToken: token }, { ...known, leaseUntil });
  }

  /** Gives a claimed row back; no worker gets it for so long. */
  async release({ id }: Row, token: Buffer, seconds = 0): Promise<void> {
    const leaseUntil = this.timeIn(seconds);
    await this.change({ id, leaseToken: token }, { leaseToken: null, leaseUntil });
  }

  /** Returns how workers share rows. @param claim finds the next one and leases it */
  protected leasesOf(
    claim: (own: this, token: Buffer, seconds: number) => Promise<Row | null>,
  ): Leases<Row> {
    return {
      claimNext: (tx, token, seconds) => claim(this.in(tx), token, seconds),
      renew: (tx: EntityManager, row, token, seconds) => this.in(tx).renew(row, token, seconds),
      release: (tx, row, token) => this.in(tx).release(row, token),
    };
  }

  /** Returns the leases that a row has which no worker has, each as a condition. */
  protected get freeLeases(): object[] {
    const now = databaseTime(this.source.manager.dataSource);
    const over = Raw<Date>((column) => `${column} <= ${now}`);
    return [{ leaseUntil: IsNull() }, { leaseUntil: over }];
  }

  /**
   * Leases a row. The updates are guarded by the lease, so of several workers exactly one gets it.
   * @param free what it must be, and with that what it becomes
   * @returns null when another was faster
   */
  protected async lease(
    id: Buffer,
    token: Buffer,
    seconds: number,
    free: readonly (readonly [which: object, becomes: object])[],
  ): Promise<Row | null> {
    const lease = { leaseToken: token, leaseUntil: this.timeIn(seconds) };
    for (const [which, becomes] of free)
      await this.change({ ...which, id }, { ...becomes, ...lease });
    return this.rows.findOneBy(where<Row>({ id, leaseToken: token }));
  }

  /** Stores what a claimed row has become, and gives it back; no worker gets it for so long. */
  protected async complete(
    { id }: Row,
    token: Buffer,
    changes: object,
    seconds?: number,
  ): Promise<void> {
    const leaseUntil = seconds === undefined ? null : this.timeIn(seconds);
    const given = { ...changes, leaseToken: null, leaseUntil };
    await this.change({ id, leaseToken: token }, given);
  }

  /** @returns whether there is such a row */
  protected async change(which: object, changes: object): Promise<boolean> {
    const values = changes as QueryDeepPartialEntity<Row>;
    const { affected } = await this.rows.update(where<Row>(which), values);
    return affected !== 0;
  }

  private timeIn(seconds: number): () => string {
    return () => databaseTime(this.source.manager.dataSource, seconds);
  }
}

/** Leases rows to workers once they are due. */
export abstract class DueRowsRepository<Row extends DueRow> extends LeasedRowsRepository<Row> {
  /** Returns how workers share what is due at a time. */
  leasesAt(now: Date): Leases<Row> {
    return this.leasesOf((own, token, seconds) => own.claimNext(now, token, seconds));
  }

  /** Claims a row that is due and that no other worker has. @returns null when there is none, or another was faster */
  private async claimNext(now: Date, token: Buffer, seconds: number): Promise<Row | null> {
    const free = this.freeLeases.map((each) => ({ ...each, nextAt: LessThanOrEqual(now) }));
    const [next] = await this.rows.find({
      where: free.map((each) => where<Row>(each)),
      order: { nextAt: 'ASC' } as FindOptionsOrder<Row>,
      take: 1,
    });
    const becoming = free.map((each) => [each, {}] as const);
    return next ? this.lease(next.id, token, seconds, becoming) : null;
  }
}

/** Says which rows are meant: TypeORM cannot know the columns of a row that is yet to be named. */
function where<Row>(which: object): FindOptionsWhere<Row> {
  return which;
}
