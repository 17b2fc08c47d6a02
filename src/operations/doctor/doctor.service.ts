import { Injectable } from '@nestjs/common';
import { Hooks } from '../../platform/hooks/hooks.js';
import { ChecksService, MendsService, type CheckOf, type Finding, type Outcome } from './check.js';
import { SenderDns } from './sender-dns/sender-dns.js';

/** Checks whether the service is as it should be, and changes nothing. */
@Injectable()
export class DoctorService {
  constructor(
    private readonly hooks: Hooks,
    private readonly senderDns: SenderDns,
  ) {}

  /**
   * Runs every check, one after the other, also after one that fails.
   * @param mailTo recipient of a test mail; none is sent without it
   */
  async examine(mailTo?: string): Promise<Finding[]> {
    const own = await this.run(this.checks(), mailTo);
    const ofDns = this.senderDns.checks().map((about) => ({ about, run: () => about.run() }));
    return [...own, ...(await this.run(ofDns))];
  }

  /** Runs the checks that take milliseconds. */
  examineQuickly(): Promise<Finding[]> {
    return this.run(this.checks().filter(({ about }) => about.isSlow !== true));
  }

  /** Mends what the checks can mend themselves. */
  mend(): Promise<void> {
    return this.hooks.run(MendsService);
  }

  private checks() {
    const all = this.hooks.all(ChecksService);
    return all.toSorted((one, other) => one.about.name.localeCompare(other.about.name));
  }

  private async run(
    checks: {
      about: CheckOf;
      run: (mailTo?: string) => Promise<Outcome | null> | Outcome | null;
    }[],
    mailTo?: string,
  ): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const { about, run } of checks) {
      const { name, settings, canMend = false } = about;
      const finding = { name, settings, canMend, records: [] };
      try {
        const outcome = await run(mailTo);
        if (outcome) findings.push({ ...finding, ...outcome });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        findings.push({ ...finding, state: 'failed', detail });
      }
    }
    return findings;
  }
}
