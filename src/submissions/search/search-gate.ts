import { Injectable } from '@nestjs/common';
import type { Actor } from '../../access/actor.js';
import { SearchesBusy, SearchUnderWay } from '../submission.errors.js';

/** Searches of this process that run at once: the rest of the database is for visitors. */
const RUNNING_MAX = 2;
/** How long a search waits for those before it, in milliseconds: longer than one of them may take. */
const WAIT_MS = 3_000;
/** Most searches that wait, in all and of one reader: nobody takes the places of others. */
const WAITING_MAX = 200;
const WAITING_OF_ONE_MAX = 20;

interface Waiting {
  reader: string;
  begin: () => void;
}

/** Lets few searches run at a time, and of one reader only one. The others wait for a moment. */
@Injectable()
export class SearchGate {
  /** The readers whose searches run. */
  private readonly running = new Set<string>();
  private readonly waiting: Waiting[] = [];

  /**
   * Runs a search of somebody when it is its turn.
   * @throws SearchUnderWay when another one of the same reader still runs after WAIT_MS, or many of the reader wait
   * @throws SearchesBusy when those of others do
   * @throws the reason of `unwanted` when that is aborted before it is its turn
   */
  async run<Result>(
    { kind, id }: Pick<Actor, 'kind' | 'id'>,
    search: () => Promise<Result>,
    unwanted?: AbortSignal,
  ): Promise<Result> {
    const reader = `${kind} ${id ?? ''}`;
    unwanted?.throwIfAborted();
    await this.turn(reader, unwanted);
    try {
      return await search();
    } finally {
      this.running.delete(reader);
      this.beginNext();
    }
  }

  private async turn(reader: string, unwanted?: AbortSignal): Promise<void> {
    if (this.mayBegin(reader)) {
      this.running.add(reader);
      return;
    }
    const own = this.waiting.filter((other) => other.reader === reader).length;
    if (own >= WAITING_OF_ONE_MAX) throw new SearchUnderWay();
    if (this.waiting.length >= WAITING_MAX) throw this.refusalFor(reader);
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        reader,
        begin: () => {
          forget();
          resolve();
        },
      };
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(entry), 1);
        forget();
        reject(unwanted?.aborted ? asError(unwanted.reason) : this.refusalFor(reader));
      };
      const timer = setTimeout(leave, WAIT_MS);
      unwanted?.addEventListener('abort', leave);
      const forget = () => {
        clearTimeout(timer);
        unwanted?.removeEventListener('abort', leave);
      };
      this.waiting.push(entry);
    });
  }

  private beginNext(): void {
    const at = this.waiting.findIndex(({ reader }) => this.mayBegin(reader));
    const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
    if (!next) return;
    // Before its own turn of the event loop, so that nobody else takes its place.
    this.running.add(next.reader);
    next.begin();
  }

  private mayBegin(reader: string): boolean {
    return this.running.size < RUNNING_MAX && !this.running.has(reader);
  }

  private refusalFor(reader: string): Error {
    return this.running.has(reader) ? new SearchUnderWay() : new SearchesBusy();
  }
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
