import type { Logger } from '@nestjs/common';
import { MINUTE_MS } from '../../platform/kernel/time/durations.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import type { FormRules, FoundPart, SignalDefaults, SlowSignal } from '../evidence/spam-signal.js';

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
