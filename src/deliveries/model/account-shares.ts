import { MAIL_SERVER, type ReceiverName } from './receivers.js';

/** Most deliveries of one account under way in this process; a fifth of the worker's 50 is left to others. */
const CONCURRENCY = 40;
/** Most mails of one account under way; a fifth of the mail server's 10 is left to others. */
const MAIL_CONCURRENCY = 8;

/** Lists the ids of accounts that have reached a limit of this process. */
export interface BusyAccounts {
  ofAnyKind: number[];
  ofMails: number[];
}

interface Share {
  all: number;
  mails: number;
}

/** Counts the deliveries under way of each account, so that no account takes the whole worker. */
export class AccountShares {
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
