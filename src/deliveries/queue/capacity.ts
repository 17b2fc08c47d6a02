import { reachedBy, type AttemptResult } from '../model/attempt-result.js';
import { receiverOf, type Delivery } from '../model/delivery.entity.js';
import { AccountShares, type BusyAccounts } from '../model/account-shares.js';
import { hostOf, Receivers, type BusyReceivers, type ReceiverName } from '../model/receivers.js';

/** The columns of a due delivery that decide whether it is claimed. */
export interface DueDelivery {
  id: Buffer;
  accountId: number;
  destinationId: Buffer | null;
  receiver: ReceiverName;
}

/** Receivers and accounts that have reached their limits. */
export interface Busy extends BusyReceivers {
  accounts: BusyAccounts;
}

/** Decides what can be started within the limits of each receiver and each account. */
export class Capacity {
  private readonly receivers = new Receivers();
  private readonly accounts = new AccountShares();

  busy(now: Date): Busy {
    return { ...this.receivers.busy(now), accounts: this.accounts.busy() };
  }

  /** Takes a place of an account. Returns a function that gives it back. */
  share(delivery: Delivery, accountId: number): () => void {
    const receiver = receiverOf(delivery, accountId);
    this.accounts.begin(accountId, receiver);
    return () => {
      this.accounts.end(accountId, receiver);
    };
  }

  /**
   * Begins an attempt. Returns a function that ends it, and takes from its result whether the receiver answered, and
   * whether it asked us to wait.
   */
  begin(delivery: Delivery, accountId: number): (ended: AttemptResult, now: Date) => void {
    const { destinationId, kind } = delivery;
    const receiver = receiverOf(delivery, accountId);
    this.receivers.begin(receiver);
    return (ended, now) => {
      this.receivers.end(receiver, reachedBy(ended), now);
      const { retryAfterMs } = ended;
      if (destinationId && kind === 'destination' && retryAfterMs !== null) {
        this.receivers.wait(destinationId, retryAfterMs, now);
      }
    };
  }

  /**
   * Chooses deliveries within the limits of their receivers, their accounts and the process. The order is
   * shuffled, since all workers look at the same rows.
   * @param free how many more the process can start
   */
  select(due: DueDelivery[], free: number, now: Date): DueDelivery[] {
    const rooms = new Map<ReceiverName, number>();
    const hosts = new Map<string, number>();
    const accounts = this.accounts.copy();
    const selected: DueDelivery[] = [];
    for (const delivery of shuffled(due)) {
      const { accountId, receiver } = delivery;
      const host = hostOf(receiver)?.host ?? '';
      const room = rooms.get(receiver) ?? this.receivers.room(receiver, now);
      const ofHost = hosts.get(host) ?? this.receivers.roomOf(host);
      if (
        room === 0 ||
        ofHost === 0 ||
        selected.length === free ||
        !accounts.hasRoom(accountId, receiver)
      ) {
        continue;
      }
      rooms.set(receiver, room - 1);
      if (host !== '') hosts.set(host, ofHost - 1);
      accounts.begin(accountId, receiver);
      selected.push(delivery);
    }
    return selected;
  }
}

function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
