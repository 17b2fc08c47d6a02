import { Injectable } from '@nestjs/common';
import type { IncomingMessage } from 'node:http';
import { API_BODY_LIMIT_BYTES } from './api-body-limit.js';
import { TooManyBodies, TooManyBodiesOfAccount } from './http.errors.js';

/** Most bytes of request bodies in memory: 64 of the largest. Parsed they take several times as much. */
const ALL_MAX_BYTES = 64 * 1024 * 1024;
/** Most bytes of one account: 16 of its largest bodies, and three quarters are left to others. */
const ACCOUNT_MAX_BYTES = 16 * 1024 * 1024;

/** Limits the memory that bodies of API requests take while they are read. */
@Injectable()
export class BodiesUnderWay {
  private bytes = 0;
  private readonly ofAccounts = new Map<number, number>();

  /**
   * Reserves memory for a body before it is read: its Content-Length, or `limit` without one.
   * @param limit largest body, in bytes
   * @returns a function that frees the memory; to be called once
   * @throws TooManyBodiesOfAccount, TooManyBodies
   */
  begin({ headers }: IncomingMessage, accountId: number, limit = API_BODY_LIMIT_BYTES): () => void {
    const announced = headers['content-length'];
    const bytes = Math.min(Number(announced ?? limit), limit);
    const ofAccount = (this.ofAccounts.get(accountId) ?? 0) + bytes;
    if (ofAccount > ACCOUNT_MAX_BYTES) throw new TooManyBodiesOfAccount();
    if (this.bytes + bytes > ALL_MAX_BYTES) throw new TooManyBodies();
    this.bytes += bytes;
    this.ofAccounts.set(accountId, ofAccount);
    return () => {
      this.bytes -= bytes;
      const left = (this.ofAccounts.get(accountId) ?? 0) - bytes;
      if (left > 0) this.ofAccounts.set(accountId, left);
      else this.ofAccounts.delete(accountId);
    };
  }
}
