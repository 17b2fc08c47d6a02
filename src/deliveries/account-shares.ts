import { MAIL_SERVER, type DestinationName } from './destinations.js';

/** Deliveries of one account under way in this process at most: of the 50, the rest is for others. */
const CONCURRENCY = 40;
/** Mails of one account under way at most: of the 10 that the mail server gets at once. */
const MAIL_CONCURRENCY = 8;

/** Accounts that have all that one account gets just now. */
export interface BusyAccounts {
  ofAnyKind: number[];
  ofMails: number[];
}

interface Share {
  all: number;
  mails: number;
}

/** Knows how much of the worker each account has, so that none has all of it. */
export class AccountShares {
  private readonly known = new Map<number, Share>();

  busy(): BusyAccounts {
    const accounts = [...this.known.keys()];
    return {
      ofAnyKind: accounts.filter((id) => this.of(id).all >= CONCURRENCY),
      ofMails: accounts.filter((id) => this.of(id).mails >= MAIL_CONCURRENCY),
    };
  }

  /** Whether a delivery of this account may begin. */
  hasRoom(accountId: number, destination: DestinationName): boolean {
    const { all, mails } = this.of(accountId);
    return all < CONCURRENCY && (destination !== MAIL_SERVER || mails < MAIL_CONCURRENCY);
  }

  /** The same shares, to be counted on without effect on these. */
  copy(): AccountShares {
    const copy = new AccountShares();
    for (const [id, share] of this.known) copy.known.set(id, share);
    return copy;
  }

  begin(accountId: number, destination: DestinationName): void {
    this.move(accountId, destination, 1);
  }

  end(accountId: number, destination: DestinationName): void {
    this.move(accountId, destination, -1);
  }

  private move(accountId: number, destination: DestinationName, by: number): void {
    const { all, mails } = this.of(accountId);
    const share = { all: all + by, mails: mails + (destination === MAIL_SERVER ? by : 0) };
    if (share.all === 0) this.known.delete(accountId);
    else this.known.set(accountId, share);
  }

  private of(accountId: number): Share {
    return this.known.get(accountId) ?? { all: 0, mails: 0 };
  }
}
