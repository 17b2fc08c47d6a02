import type { Logger } from '@nestjs/common';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import type { FormRules, FoundPart, SignalDefaults, SlowSignal } from '../evidence/spam-signal.js';

export interface FilterAnswer {
  text: string;
  headers: Headers;
}

/** Time between two lines of the log that say the same, in milliseconds. */
const QUIET_MS = 10 * MINUTE_MS;

/**
 * Asks a spam filter outside of this process. It says that a submission is spam, or that it is none, or nothing:
 * a filter that is away, slow or wrong is the operator's to know, and changes no verdict.
 */
export abstract class ExternalFilter implements SlowSignal {
  readonly name: string;
  readonly points: number;
  readonly enabled: boolean;
  protected abstract readonly logger: Logger;
  private lastTold = -Infinity;

  constructor(defaults: SignalDefaults) {
    this.name = defaults.name;
    this.points = defaults.points;
    this.enabled = defaults.enabled;
  }

  readonly look = async (
    evidence: SpamEvidence,
    settings: FormRules,
    late: AbortSignal,
  ): Promise<FoundPart | null> => {
    try {
      const found = await this.ask(evidence, late);
      return found && settings.part(this.name, found.reason, found.share);
    } catch (error) {
      this.tell((error as Error).message);
      return null;
    }
  };

  /**
   * Asks the filter; null when it finds nothing, or when there is none.
   * @throws FilterUnclear
   */
  protected abstract ask(
    evidence: SpamEvidence,
    late: AbortSignal,
  ): Promise<{ reason: string; share: number } | null>;

  private tell(reason: string): void {
    const now = performance.now();
    if (now - this.lastTold < QUIET_MS) return;
    this.lastTold = now;
    this.logger.warn('A spam filter says nothing', { filter: this.name, reason });
  }
}

/** Longest answer of a filter that is read, in bytes. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** A filter did not answer, or not as it should. */
export class FilterUnclear extends Error {}

/**
 * Calls a spam filter that the operator named. It is told nothing more than once, and redirects are not followed.
 * @throws FilterUnclear
 */
export async function callFilter(
  url: string,
  request: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string | Buffer },
  signal: AbortSignal,
): Promise<FilterAnswer> {
  try {
    const { body, ...rest } = request;
    const response = await fetch(url, {
      ...rest,
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new FilterUnclear(`It answers with status ${response.status}.`);
    }
    return { text: await textOf(response), headers: response.headers };
  } catch (error) {
    if (error instanceof FilterUnclear) throw error;
    if (signal.aborted) throw new FilterUnclear('It does not respond in time.');
    const { message, cause } = error as Error;
    throw new FilterUnclear(cause instanceof Error ? cause.message : message);
  }
}

async function textOf(response: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_MAX_BYTES) throw new FilterUnclear('Its answer is too long.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}
