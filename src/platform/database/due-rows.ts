import {
  type EntityManager,
  IsNull,
  LessThanOrEqual,
  Raw,
  type FindOptionsOrder,
  type FindOptionsWhere,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import { TransactionalRepository } from './sql.js';
import { databaseTime } from './select-rows.js';
import type { DueRow } from './unit-of-work.js';

/** Leases rows to workers once they are due. */
export abstract class DueRowsRepository<Row extends DueRow> extends TransactionalRepository {
  protected abstract get rows(): Repository<Row>;

  /** Returns how workers share what is due at a time. */
  leasesAt(now: Date) {
    return {
      claimNext: (tx: EntityManager, token: Buffer, seconds: number) =>
        this.in(tx).claimNext(now, token, seconds),
      renew: (tx: EntityManager, row: Row, token: Buffer, seconds: number) =>
        this.in(tx).renew(row, token, seconds),
      release: (tx: EntityManager, row: Row, token: Buffer) => this.in(tx).release(row, token),
    };
  }

  /**
   * Claims a row that is due and that no other worker has. The update is guarded by the lease, so of several
   * workers exactly one gets it; the lease uses the database's clock.
   * @returns null when there is none, or another was faster
   */
  async claimNext(now: Date, token: Buffer, leaseSeconds: number): Promise<Row | null> {
    const clock = databaseTime(this.source.manager.dataSource);
    const over = Raw<Date>((column) => `${column} < ${clock}`);
    const nextAt = LessThanOrEqual(now);
    const free = [
      { nextAt, leaseUntil: IsNull() },
      { nextAt, leaseUntil: over },
    ];
    const [next] = await this.rows.find({
      where: free.map((each) => where<Row>(each)),
      order: { nextAt: 'ASC' } as FindOptionsOrder<Row>,
      take: 1,
    });
    if (!next) return null;
    const { id } = next;
    for (const each of free) {
      const lease = { leaseToken: token, leaseUntil: this.timeIn(leaseSeconds) };
      await this.change({ ...each, id }, lease);
    }
    return this.rows.findOneBy(where<Row>({ id, leaseToken: token }));
  }

  /** Keeps a claimed row. @returns false when the lease was lost */
  async renew({ id }: Row, token: Buffer, leaseSeconds: number): Promise<boolean> {
    return this.change({ id, leaseToken: token }, { leaseUntil: this.timeIn(leaseSeconds) });
  }

  /** Gives a claimed row back; no worker gets it for so long. */
  async release({ id }: Row, token: Buffer, seconds = 0): Promise<void> {
    const leaseUntil = this.timeIn(seconds);
    await this.change({ id, leaseToken: token }, { leaseToken: null, leaseUntil });
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

  private async change(which: object, changes: object): Promise<boolean> {
    const values = changes as QueryDeepPartialEntity<Row>;
    const { affected } = await this.rows.update(where<Row>(which), values);
    return affected !== 0;
  }

  private timeIn(seconds: number): () => string {
    return () => databaseTime(this.source.manager.dataSource, seconds);
  }
}

/** Says which rows are meant: TypeORM cannot know the columns of a row that is yet to be named. */
function where<Row>(which: object): FindOptionsWhere<Row> {
  return which;
}
