import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { SECOND_MS, HOUR_MS } from '../kernel/time/durations.js';
import { SignalsRepository, type Change } from './signals.repository.js';
import { BackgroundTask, type TaskRun } from '../background/background-task.js';

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

  /** Says that a subject has changed; to be called after the commit. */
  give(topic: string, subjectId: number): void {
    this.given.set(keyOf({ topic, subjectId }), { topic, subjectId });
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
  async beforeApplicationShutdown(): Promise<void> {
    this.isOver = true;
    if (this.timer) clearTimeout(this.timer);
    await this.exchanging;
    if (this.given.size > 0) await this.exchange();
  }

  private start(): void {
    if (this.timer || this.isOver) return;
    this.timer = setTimeout(() => {
      this.exchanging = this.exchange().finally(() => {
        this.exchanging = null;
        this.timer = null;
        if (this.hearers.size > 0 || this.given.size > 0) this.start();
      });
    }, EXCHANGE_MS).unref();
  }

  private async exchange(): Promise<void> {
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
  private newAmong(
    read: readonly (Change & { given: string })[],
    own: ReadonlyMap<string, Change>,
  ): Change[] {
    const before = this.known;
    this.known = new Map(read.map((change) => [keyOf(change), change.given]));
    return read.filter((change) => {
      const key = keyOf(change);
      return before.get(key) !== change.given && !own.has(key);
    });
  }

  private tell(changes: Change[]): void {
    if (changes.length === 0) return;
    const at = performance.now();
    this.told = [...this.told.filter((each) => each.at > at - REPEATED_MS), { changes, at }];
    for (const hear of this.hearers) hear(changes);
  }
}

const keyOf = ({ topic, subjectId }: Change) => `${topic} ${subjectId}`;
