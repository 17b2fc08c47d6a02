import { Injectable } from '@nestjs/common';
import type { Check, Finding } from './check.js';
import type { SenderDns } from './sender-dns/sender-dns.js';

/** Checks whether the service is as it should be, and changes nothing. */
@Injectable()
export class DoctorService {
  private readonly checks: readonly Check[];

  /** @param checks in the order in which they run */
  constructor(
    checks: readonly Check[],
    private readonly senderDns: SenderDns,
  ) {
    this.checks = checks.filter(({ isOff }) => isOff !== true);
  }

  /**
   * Runs every check, one after the other, also after one that fails.
   * @param mailTo recipient of a test mail; none is sent without it
   */
  examine(mailTo?: string): Promise<Finding[]> {
    return this.run([...this.checks, ...this.senderDns.checks()], mailTo);
  }

  /** Runs the checks that take milliseconds. */
  examineQuickly(): Promise<Finding[]> {
    return this.run(this.checks.filter(({ isSlow }) => isSlow !== true));
  }

  /** Mends what the checks can mend themselves. */
  async mend(): Promise<void> {
    for (const check of this.checks) await check.mend?.();
  }

  private async run(checks: readonly Check[], mailTo?: string): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const check of checks) {
      const { name, settings } = check;
      const about = { name, settings, canMend: 'mend' in check, records: [] };
      try {
        findings.push({ ...about, ...(await check.run(mailTo)) });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        findings.push({ ...about, state: 'failed', detail });
      }
    }
    return findings;
  }
}
