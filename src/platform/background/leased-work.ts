import { randomBytes } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import type { UnitOfWork } from '../database/unit-of-work.js';

/** Life of a lease in seconds, unless said otherwise; it is renewed halfway, so only a dead worker's ends. */
const LEASE_SECONDS = 5;

/** Rows that are work to do; of several workers one has a row for itself, by the clock of the database. */
export interface Leases<Row> {
  /** Claims a row that no other worker has. @returns null when there is none, or another was faster */
  claimNext(tx: EntityManager, token: Buffer, seconds: number): Promise<Row | null>;
  /** @returns false when the lease was lost */
  renew(tx: EntityManager, row: Row, token: Buffer, seconds: number): Promise<boolean>;
  release(tx: EntityManager, row: Row, token: Buffer): Promise<void>;
}

/** A row that a worker has for itself. */
export interface Leased<Row> {
  row: Row;
  /** Token of the lease; nothing of the work is stored without it. */
  token: Buffer;
  /** Aborted once work is to end: the lease was lost, or the process stops. */
  unwanted: AbortSignal;
  /** Aborted once the lease was lost: another worker may have the row. */
  lost: AbortSignal;
}

/** Works on one leased row after the other. */
export class LeasedWork<Row> {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly leases: Leases<Row>,
    private readonly leaseSeconds = LEASE_SECONDS,
  ) {}

  /**
   * Claims a row, has it worked on while the lease is renewed, and gives it back, until none is free.
   * @param signal stops it between two, and says so to the turn
   */
  async each(turn: (leased: Leased<Row>) => Promise<void>, signal?: AbortSignal): Promise<void> {
    while (!signal?.aborted) {
      const token = randomBytes(16);
      const row = await this.unitOfWork.run((tx) =>
        this.leases.claimNext(tx, token, this.leaseSeconds),
      );
      if (!row) return;
      await this.hold(row, token, turn, signal);
    }
  }

  private async hold(
    row: Row,
    token: Buffer,
    turn: (leased: Leased<Row>) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<void> {
    const lost = new AbortController();
    const unwanted = AbortSignal.any([lost.signal, ...(signal ? [signal] : [])]);
    const renew = async () => {
      const isHeld = await this.unitOfWork.run((tx) =>
        this.leases.renew(tx, row, token, this.leaseSeconds),
      );
      if (!isHeld) lost.abort();
    };
    // A renewal that fails is seen when something is stored with the token.
    const beat = setInterval(() => void renew().catch(() => undefined), this.leaseSeconds * 500);
    try {
      await turn({ row, token, unwanted, lost: lost.signal });
    } finally {
      clearInterval(beat);
      await this.unitOfWork.run((tx) => this.leases.release(tx, row, token));
    }
  }
}
