import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { TooManyExports } from '../submissions/model/submission.errors.js';

/** Exports that are sent at once to one token or person: each has a buffer, a file and turns at the database. */
const OF_HOLDER = 4;
/** Exports that are sent at once to one client, by however many tokens and people. */
const OF_CLIENT = 8;
/** Exports that are sent at once to one account, its clients included. */
const OF_ACCOUNT = 16;

/** Counts the exports that are sent while they are read, so that nobody takes memory and database from others. */
@Injectable()
export class DownloadsUnderWay {
  private readonly counts = new Map<string, number>();

  /**
   * Counts one until it is over, whether it was sent or given up.
   * @param over aborted then
   * @throws TooManyExports
   */
  begin({ accountId, clientId, actor }: Principal, over: AbortSignal): void {
    over.throwIfAborted();
    const shares: [name: string, most: number][] = [
      [`${accountId} ${actor.kind} ${String(actor.id)}`, OF_HOLDER],
      [`${accountId}`, OF_ACCOUNT],
    ];
    if (clientId !== null) shares.push([`${accountId} client ${clientId}`, OF_CLIENT]);
    for (const [name, most] of shares) {
      if ((this.counts.get(name) ?? 0) >= most) throw new TooManyExports(most);
    }
    for (const [name] of shares) this.add(name, 1);
    over.addEventListener('abort', () => {
      for (const [name] of shares) this.add(name, -1);
    });
  }

  private add(name: string, amount: number): void {
    const sum = (this.counts.get(name) ?? 0) + amount;
    if (sum > 0) this.counts.set(name, sum);
    else this.counts.delete(name);
  }
}
