import { Injectable } from '@nestjs/common';
import { AddressCheck } from './address.check.js';
import type { Check, Finding } from './check.js';
import { ClockCheck } from './clock.check.js';
import { CountsCheck } from './counts.check.js';
import { DeliveriesCheck } from './deliveries.check.js';
import { DiskCheck } from './disk.check.js';
import { DurabilityCheck } from './durability.check.js';
import { MailCheck } from './mail.check.js';
import { PacketCheck } from './packet.check.js';

/** Looks whether the service is as it should be, and mends nothing. */
@Injectable()
export class DoctorService {
  private readonly checks: Check[];

  constructor(
    durability: DurabilityCheck,
    packet: PacketCheck,
    clock: ClockCheck,
    disk: DiskCheck,
    address: AddressCheck,
    counts: CountsCheck,
    deliveries: DeliveriesCheck,
    mail: MailCheck,
  ) {
    this.checks = [durability, packet, clock, disk, address, counts, deliveries, mail];
  }

  /**
   * Runs every check, one after the other; none keeps the next from running.
   * @param mailTo who gets a test mail; nobody when left out
   */
  async examine(mailTo?: string): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (const check of this.checks) {
      try {
        findings.push({ name: check.name, ...(await check.run(mailTo)) });
      } catch (error) {
        const detail = error instanceof Error ? error.message : String(error);
        findings.push({ name: check.name, state: 'failed', detail });
      }
    }
    return findings;
  }
}
