import { AccountShares, type BusyAccounts } from '../model/account-shares.js';
import { Destinations, type DestinationName } from '../model/destinations.js';

/** The columns of a due delivery that decide whether it is claimed. */
export interface DueDelivery {
  id: Buffer;
  accountId: number;
  destination: DestinationName;
}

/** Destinations and accounts that have reached their limits. */
export interface Busy {
  destinations: DestinationName[];
  accounts: BusyAccounts;
}

/** Decides what can be started within the limits of each destination and each account. */
export class Capacity {
  readonly destinations = new Destinations();
  readonly accounts = new AccountShares();

  busy(now: Date): Busy {
    return { destinations: this.destinations.busy(now), accounts: this.accounts.busy() };
  }

  /**
   * Chooses deliveries within the limits of their destinations, their accounts and the process. The order is
   * shuffled, since all workers look at the same rows.
   * @param free how many more the process can start
   */
  select(due: DueDelivery[], free: number, now: Date): DueDelivery[] {
    const rooms = new Map<DestinationName, number>();
    const accounts = this.accounts.copy();
    const selected: DueDelivery[] = [];
    for (const delivery of shuffled(due)) {
      const { accountId, destination } = delivery;
      const room = rooms.get(destination) ?? this.destinations.room(destination, now);
      if (room === 0 || selected.length === free || !accounts.hasRoom(accountId, destination)) {
        continue;
      }
      rooms.set(destination, room - 1);
      accounts.begin(accountId, destination);
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
