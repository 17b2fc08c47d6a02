import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { type ReceivedFile, mediaTypeIn } from '../../../submissions/files/file-store.js';
import {
  GuardedHttpClient,
  isForbidden,
  USER_AGENT,
  type Download,
  byteSize,
  MINUTE_MS,
  SECOND_MS,
  parseUrl,
} from '../../../platform/index.js';
import type { FileTaker } from '../../../submissions/storage/imported-submissions.service.js';

/** Longest time for a file with its redirects, in milliseconds. */
const FETCH_TIMEOUT_MS = 30 * SECOND_MS;
const REDIRECTS_MAX = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Failures of a server in a row, after which it is left out, and for how long, in milliseconds. */
const FAILURES_MAX = 3;
const LEFT_OUT_MS = 10 * MINUTE_MS;
/** Servers whose failures are known at a time. */
const KNOWN_MAX = 1_000;
const HEADERS = { 'user-agent': USER_AGENT, 'accept-encoding': 'identity' };

/** The address of a file led to none. */
export class FileMissing extends Error {}

/** The server of a file did not answer. */
class Unreachable extends FileMissing {}

/** Fetches files from addresses that exports name. */
@Injectable()
export class FileFetcher {
  /** Failures in a row of servers that do not answer, so that an import does not wait for each of their files. */
  private readonly failures = new LRUCache<string, number>({ max: KNOWN_MAX, ttl: LEFT_OUT_MS });

  constructor(private readonly http: GuardedHttpClient) {}

  /**
   * Writes a file to disk.
   * @param maxBytes largest file
   * @param unwanted aborts it
   * @throws FileMissing with the end of a sentence about the address
   * @throws AccountFilesFull, FilesUnavailable, the reason of `unwanted`
   */
  async fetch(
    url: string,
    receive: FileTaker['receive'],
    maxBytes: number,
    unwanted: AbortSignal,
  ): Promise<ReceivedFile & { mediaType: string }> {
    const { host } = new URL(url);
    if ((this.failures.peek(host) ?? 0) >= FAILURES_MAX) {
      throw new FileMissing('was not asked for: its server did not answer before');
    }
    const late = AbortSignal.timeout(FETCH_TIMEOUT_MS);
    try {
      const answer = await this.follow(url, AbortSignal.any([late, unwanted]));
      try {
        const file = await received(answer, receive, maxBytes);
        this.failures.delete(host);
        return file;
      } finally {
        answer.close();
      }
    } catch (error) {
      unwanted.throwIfAborted();
      if (late.aborted || error instanceof Unreachable) {
        const before = this.failures.peek(host, { allowStale: true }) ?? 0;
        this.failures.set(host, before + 1);
      }
      if (late.aborted) {
        throw new FileMissing(`did not answer within ${FETCH_TIMEOUT_MS / SECOND_MS} seconds`);
      }
      throw error;
    }
  }

  /** @throws FileMissing, the error of the network after a time-out */
  private async follow(url: string, signal: AbortSignal) {
    let from = url;
    for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      const answer = await this.http.get(from, HEADERS, signal).catch((error: unknown) => {
        throw unreachable(error);
      });
      const { status, headers } = answer;
      if (status === 200) return answer;
      answer.close();
      const to = parseUrl(String(headers.location ?? ''), from);
      if (!REDIRECTS.has(status) || !to) throw new FileMissing(`answered ${status}`);
      from = to.href;
    }
    throw new FileMissing(`redirected more than ${REDIRECTS_MAX} times`);
  }
}

/** Writes the body of an answer to disk. @throws FileMissing, AccountFilesFull, FilesUnavailable */
async function received(answer: Download, receive: FileTaker['receive'], maxBytes: number) {
  const mediaType = mediaTypeOf(answer);
  const { headers, body } = answer;
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new FileMissing('answered with a compressed file');
  }
  const tooLarge = new FileMissing(`is larger than ${byteSize(maxBytes)}`);
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge;
  let size = 0;
  const file = await receive(arriving(body), (bytes) => {
    size += bytes;
    if (size > maxBytes) throw tooLarge;
  });
  return { ...file, mediaType };
}

/** Passes a body on, whose end may not come. @throws FileMissing */
async function* arriving(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw unreachable(error);
  }
}

/** @throws FileMissing for a page, such as one that asks people to sign in */
function mediaTypeOf({ headers }: Download) {
  const mediaType = mediaTypeIn(String(headers['content-type'] ?? '')).toLowerCase();
  if (mediaType === 'text/html') throw new FileMissing('answered with a page instead of a file');
  return mediaType === '' ? 'application/octet-stream' : mediaType;
}

function unreachable(error: unknown) {
  if (isForbidden(error)) return new FileMissing('leads to an address that is not public');
  const { code } = error as { code?: unknown };
  return new Unreachable(`could not be reached${typeof code === 'string' ? ` (${code})` : ''}`);
}
