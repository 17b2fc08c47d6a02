import { Injectable } from '@nestjs/common';
import type { Principal } from '../../accounts/access/index.js';
import { SearchesBusy, SearchUnderWay } from '../../submissions/model/submission.errors.js';

/** Searches of this process that run at once: the rest of the database is for visitors. */
const RUNNING_MAX = 2;

/** How long a search waits for those before it, in milliseconds: longer than one of them may take. */
const WAIT_MS = 3_000;

/** Most searches that wait, in all, of one account and of one reader: nobody takes the places of others. */
const WAITING_MAX = 200;

const WAITING_OF_ACCOUNT_MAX = 100;

const WAITING_OF_ONE_MAX = 20;

/** Names whose search it is. */
interface Searcher {
  account: string;
  /** The client of the account for whom the reader acts, or the account itself. */
  client: string;
  reader: string;
}

interface Waiting extends Searcher {
  begin: () => void;
}

/**
 * Lets few searches run at a time, and of one reader only one. The others wait for a moment: accounts take turns,
 * and within an account its clients.
 */
@Injectable()
export class SearchGate {
  /** The readers whose searches run. */
  private readonly running = new Set<string>();
  /** When an account or a client last began a search, by a number that rises; kept while others wait. */
  private readonly begun = new Map<string, number>();
  private count = 0;
  private readonly waiting: Waiting[] = [];

  /**
   * Runs a search of somebody when it is its turn.
   * @throws SearchUnderWay when another one of the same reader still runs after WAIT_MS, or many of the reader wait
   * @throws SearchesBusy when other readers' do
   * @throws the reason of `unwanted` when that is aborted before it is its turn
   */
  async run<Result>(
    principal: Pick<Principal, 'accountId' | 'clientId' | 'reader'>,
    search: () => Promise<Result>,
    unwanted?: AbortSignal,
  ): Promise<Result> {
    const searcher = searcherOf(principal);
    unwanted?.throwIfAborted();
    await this.turn(searcher, unwanted);
    try {
      return await search();
    } finally {
      this.running.delete(searcher.reader);
      this.beginNext();
    }
  }

  private async turn(searcher: Searcher, unwanted?: AbortSignal) {
    const { account, reader } = searcher;
    if (this.mayBegin(searcher)) {
      this.note(searcher);
      return;
    }
    const count = (isMeant: (other: Waiting) => boolean) => this.waiting.filter(isMeant).length;
    if (count((other) => other.reader === reader) >= WAITING_OF_ONE_MAX) throw new SearchUnderWay();
    const ofAccount = count((other) => other.account === account);
    if (ofAccount >= WAITING_OF_ACCOUNT_MAX || this.waiting.length >= WAITING_MAX) {
      throw this.refusalFor(reader);
    }
    await new Promise<void>((resolve, reject) => {
      const entry: Waiting = {
        ...searcher,
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

  private beginNext() {
    const [next] = this.waiting
      .filter((entry) => this.mayBegin(entry))
      .sort(
        (one, other) =>
          this.lastOf(one.account) - this.lastOf(other.account) || this.lastOf(one.client) - this.lastOf(other.client),
      );
    if (!next) return;
    this.waiting.splice(this.waiting.indexOf(next), 1);
    if (this.waiting.length === 0) this.begun.clear();
    // Before its own turn of the event loop, so that nobody else takes its place.
    this.note(next);
    next.begin();
  }

  private note({ account, client, reader }: Searcher) {
    this.running.add(reader);
    this.count++;
    for (const name of [account, client]) this.begun.set(name, this.count);
  }

  private lastOf(name: string) {
    return this.begun.get(name) ?? 0;
  }

  private mayBegin({ reader }: Searcher) {
    return this.running.size < RUNNING_MAX && !this.running.has(reader);
  }

  private refusalFor(reader: string): Error {
    return this.running.has(reader) ? new SearchUnderWay() : new SearchesBusy();
  }
}

function searcherOf({
  accountId,
  clientId,
  reader: { kind, id },
}: Pick<Principal, 'accountId' | 'clientId' | 'reader'>): Searcher {
  const account = String(accountId);
  return { account, client: `${account}/${clientId ?? ''}`, reader: `${kind} ${id ?? ''}` };
}

function asError(reason: unknown) {
  return reason instanceof Error ? reason : new Error(String(reason));
}
