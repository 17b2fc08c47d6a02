import { reachedBy, type AttemptResult } from '../model/attempt-result.js';
import { receiverOf, type Delivery } from '../model/delivery.entity.js';
import {
  hostOf,
  Receivers,
  type BusyReceivers,
  type ReceiverName,
  MAIL_SERVER,
} from '../model/receivers.js';

/** Most deliveries of one account under way in this process; a fifth of the worker's 50 is left to others. */
const CONCURRENCY = 40;
/** Most mails of one account under way; a fifth of the mail server's 10 is left to others. */
const MAIL_CONCURRENCY = 8;

/** Lists the ids of accounts that have reached a limit of this process. */
interface BusyAccounts {
  ofAnyKind: number[];
  ofMails: number[];
}

interface Share {
  all: number;
  mails: number;
}

/** Counts the deliveries under way of each account, so that no account takes the whole worker. */
class AccountShares {
  private readonly known = new Map<number, Share>();

  busy(): BusyAccounts {
    const accounts = [...this.known.keys()];
    return {
      ofAnyKind: accounts.filter((id) => this.of(id).all >= CONCURRENCY),
      ofMails: accounts.filter((id) => this.of(id).mails >= MAIL_CONCURRENCY),
    };
  }

  /** Tells whether a delivery of this account may begin. */
  hasRoom(accountId: number, receiver: ReceiverName): boolean {
    const { all, mails } = this.of(accountId);
    return all < CONCURRENCY && (receiver !== MAIL_SERVER || mails < MAIL_CONCURRENCY);
  }

  /** Returns a copy, so that a plan can be made without changing these counts. */
  copy(): AccountShares {
    const copy = new AccountShares();
    for (const [id, share] of this.known) copy.known.set(id, share);
    return copy;
  }

  begin(accountId: number, receiver: ReceiverName): void {
    this.move(accountId, receiver, 1);
  }

  end(accountId: number, receiver: ReceiverName): void {
    this.move(accountId, receiver, -1);
  }

  private move(accountId: number, receiver: ReceiverName, by: number): void {
    const { all, mails } = this.of(accountId);
    const share = { all: all + by, mails: mails + (receiver === MAIL_SERVER ? by : 0) };
    if (share.all === 0) this.known.delete(accountId);
    else this.known.set(accountId, share);
  }

  private of(accountId: number): Share {
    return this.known.get(accountId) ?? { all: 0, mails: 0 };
  }
}

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
