import { Injectable } from '@nestjs/common';
import type { Check, Finding } from './check.js';
import { CountsCheck } from './counts.check.js';
import { DurabilityCheck } from './durability.check.js';

/** Looks whether the service is as it should be, and mends nothing. */
@Injectable()
export class DoctorService {
  private readonly checks: Check[];

  constructor(durability: DurabilityCheck, counts: CountsCheck) {
    this.checks = [durability, counts];
  }

  /** Runs every check, one after the other; none keeps the next from running. */
  async examine(): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const check of this.checks) {
      try {
        findings.push({ name: check.name, ...(await check.run()) });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        findings.push({ name: check.name, state: 'failed', detail });
      }
    }
    return findings;
  }
}
