import { AccountShares, type BusyAccounts } from '../model/account-shares.js';
import { Receivers, type ReceiverName } from '../model/receivers.js';

/** The columns of a due delivery that decide whether it is claimed. */
export interface DueDelivery {
  id: Buffer;
  accountId: number;
  receiver: ReceiverName;
}

/** Receivers and accounts that have reached their limits. */
export interface Busy {
  receivers: ReceiverName[];
  accounts: BusyAccounts;
}

/** Decides what can be started within the limits of each receiver and each account. */
export class Capacity {
  readonly receivers = new Receivers();
  readonly accounts = new AccountShares();

  busy(now: Date): Busy {
    return { receivers: this.receivers.busy(now), accounts: this.accounts.busy() };
  }

  /**
   * Chooses deliveries within the limits of their receivers, their accounts and the process. The order is
   * shuffled, since all workers look at the same rows.
   * @param free how many more the process can start
   */
  select(due: DueDelivery[], free: number, now: Date): DueDelivery[] {
    const rooms = new Map<ReceiverName, number>();
    const accounts = this.accounts.copy();
    const selected: DueDelivery[] = [];
    for (const delivery of shuffled(due)) {
      const { accountId, receiver } = delivery;
      const room = rooms.get(receiver) ?? this.receivers.room(receiver, now);
      if (room === 0 || selected.length === free || !accounts.hasRoom(accountId, receiver)) {
        continue;
      }
      rooms.set(receiver, room - 1);
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
