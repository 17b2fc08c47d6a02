import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { databaseTime, isEmbedded } from '../database/select-rows.js';
import { ReadManager } from '../database/sql.js';
import { inPortions, BackgroundTask, type TaskRun } from '../background/tasks.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { inSlices } from '../kernel/slices.js';
import { SECOND_MS, HOUR_MS } from '../kernel/time.js';
import './signal.entity.js';

/** Rows that one statement writes or removes. */
const ROWS_AT_ONCE = 500;
/** Age at which a signal is removed, in seconds; instances read only the last seconds' signals. */
const KEPT_SECONDS = 600;

/** A change of one subject. */
interface Change {
  topic: string;
  subjectId: number;
  /** Names who made it, where one alone did and this instance knows. */
  by?: string | undefined;
}

/** Shares signals among the instances on one database server. */
@Injectable()
export class SignalsRepository {
  constructor(
    private readonly source: ReadManager,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Tells whether other instances may be there; the embedded database has one process. */
  get isShared() {
    return !isEmbedded(this.source.manager.dataSource);
  }

  /** Tells the other instances of changes, which replace earlier ones of the same subjects. */
  async give(changes: readonly Change[]) {
    // In one order, so that two instances do not wait for each other.
    const sorted = [...changes].sort((a, b) => a.topic.localeCompare(b.topic) || a.subjectId - b.subjectId);
    for (const some of inSlices(sorted, ROWS_AT_ONCE)) {
      await this.unitOfWork.run((tx) => this.write(tx, some));
    }
  }

  /**
   * Returns the changes of the last seconds.
   * @returns each with a text that is another one when it was given again
   */
  async lately(seconds: number): Promise<(Change & { given: string })[]> {
    const { manager } = this.source;
    const rows = await manager.query<{ topic: string; subject_id: number; given: string }[]>(
      `SELECT topic, subject_id, CAST(given_at AS CHAR) AS given FROM signals
        WHERE given_at > ${databaseTime(manager.dataSource, -seconds)}`,
    );
    return rows.map(({ topic, subject_id, given }) => ({ topic, subjectId: subject_id, given }));
  }

  /** Removes signals that no instance reads any more. @returns how many */
  forgetOld(signal?: AbortSignal) {
    return inPortions(
      () =>
        this.unitOfWork.run(async (tx) => {
          const time = databaseTime(tx.dataSource, -KEPT_SECONDS);
          const old = await tx.query<{ topic: string; subject_id: number }[]>(
            `SELECT topic, subject_id FROM signals WHERE given_at < ${time} LIMIT ${ROWS_AT_ONCE}`,
          );
          for (const { topic, subject_id } of old) {
            await tx.query(`DELETE FROM signals WHERE topic = ? AND subject_id = ? AND given_at < ${time}`, [
              topic,
              subject_id,
            ]);
          }
          return old.length;
        }),
      signal,
    );
  }

  private async write(tx: EntityManager, changes: readonly Change[]) {
    const now = databaseTime(tx.dataSource);
    await tx.query(
      `INSERT INTO signals (topic, subject_id, given_at)
        VALUES ${changes.map(() => `(?, ?, ${now})`).join(', ')}
        ON DUPLICATE KEY UPDATE given_at = ${now}`,
      changes.flatMap(({ topic, subjectId }) => [topic, subjectId]),
    );
  }
}

export type { Change };

/** How often signals are exchanged, in milliseconds. */
const EXCHANGE_MS = SECOND_MS;
/**
 * Signals of so many seconds are read each time: a transaction may take that long to be seen. Those that
 * were read before are known.
 */
const READ_SECONDS = 10;
/** Milliseconds of past signals that a new listener hears, since its page may be as old. */
const REPEATED_MS = 2 * SECOND_MS;

/** Hears what has changed, at most once a second. */
export type Hearer = (changes: readonly Change[]) => void;

/**
 * Tells whoever listens, in all instances, that something has changed, and never what. Giving a signal costs a
 * look into a map; it is told, and on a server written, once a second for all that was given meanwhile. The
 * database is read only while somebody listens. A signal that is lost does no harm: it only spares a look.
 */
@Injectable()
export class Signals implements BeforeApplicationShutdown {
  private readonly logger = new Logger(Signals.name);
  private readonly hearers = new Set<Hearer>();
  private given = new Map<string, Change>();
  /** Signals of others read lately, with the text that says when it was given. */
  private known = new Map<string, string>();
  private told: { changes: Change[]; at: number }[] = [];
  private timer: NodeJS.Timeout | null = null;
  private exchanging: Promise<void> | null = null;
  private isOver = false;

  constructor(private readonly signals: SignalsRepository) {}

  /** Says that a subject has changed, and who changed it; to be called after the commit. */
  give(topic: string, subjectId: number, by?: string) {
    const key = keyOf({ topic, subjectId });
    const isOfOne = (this.given.get(key) ?? { by }).by === by;
    this.given.set(key, { topic, subjectId, by: isOfOne ? by : undefined });
    this.start();
  }

  /** Calls a function with what changes from now on. @returns a function that ends that */
  listen(hearer: Hearer): () => void {
    this.hearers.add(hearer);
    this.start();
    const since = performance.now() - REPEATED_MS;
    const missed = this.told.filter(({ at }) => at > since).flatMap(({ changes }) => changes);
    if (missed.length > 0) hearer(missed);
    return () => this.hearers.delete(hearer);
  }

  /** Removes what no instance reads any more. @returns how many */
  @BackgroundTask('forget signals', HOUR_MS)
  forgetOld({ signal }: TaskRun): Promise<number> {
    return this.signals.isShared ? this.signals.forgetOld(signal) : Promise.resolve(0);
  }

  /** Tells the others of the last changes: the database is closed after this. */
  async beforeApplicationShutdown() {
    this.isOver = true;
    if (this.timer) clearTimeout(this.timer);
    await this.exchanging;
    if (this.given.size > 0) await this.exchange();
  }

  private start() {
    if (this.timer || this.isOver) return;
    this.timer = setTimeout(() => {
      this.exchanging = this.exchange().finally(() => {
        this.exchanging = null;
        this.timer = null;
        if (this.hearers.size > 0 || this.given.size > 0) this.start();
      });
    }, EXCHANGE_MS).unref();
  }

  private async exchange() {
    const own = this.given;
    this.given = new Map();
    this.tell([...own.values()]);
    if (!this.signals.isShared) return;
    try {
      if (own.size > 0) await this.signals.give([...own.values()]);
      if (this.hearers.size === 0) this.known.clear();
      else this.tell(this.newAmong(await this.signals.lately(READ_SECONDS), own));
    } catch (error) {
      // What could not be written is not given again: whoever looks sees it all the same.
      this.logger.warn('Changes could not be told to other instances', { error });
    }
  }

  /** Returns what was not known, without what this instance has just told itself. */
  private newAmong(read: readonly (Change & { given: string })[], own: ReadonlyMap<string, Change>): Change[] {
    const before = this.known;
    this.known = new Map(read.map((change) => [keyOf(change), change.given]));
    return read.filter((change) => {
      const key = keyOf(change);
      return before.get(key) !== change.given && !own.has(key);
    });
  }

  private tell(changes: Change[]) {
    if (changes.length === 0) return;
    const at = performance.now();
    this.told = [...this.told.filter((each) => each.at > at - REPEATED_MS), { changes, at }];
    for (const hear of this.hearers) hear(changes);
  }
}

const keyOf = ({ topic, subjectId }: Change) => `${topic} ${subjectId}`;
