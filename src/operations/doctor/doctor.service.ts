import { Injectable } from '@nestjs/common';
import { AddressCheck } from './address.check.js';
import { BackupCheck } from './backup.check.js';
import { CanariesCheck } from './canaries.check.js';
import { CertificateCheck } from './certificate.check.js';
import type { Check, Finding } from './check.js';
import { ClockCheck } from './clock.check.js';
import { CountsCheck } from './counts.check.js';
import { DeliveriesCheck } from './deliveries.check.js';
import { DiskCheck } from './disk.check.js';
import { DurabilityCheck } from './durability.check.js';
import { InstancesCheck } from './instances.check.js';
import { MailFlowCheck } from './mail-flow.check.js';
import { MailCheck } from './mail.check.js';
import { OidcCheck } from './oidc.check.js';
import { PacketCheck } from './packet.check.js';
import { SecretsCheck } from './secrets.check.js';
import { SenderDns } from './sender-dns/sender-dns.js';
import { SpamFiltersCheck } from './spam-filters.check.js';
import { SubmissionsCheck } from './submissions.check.js';
import { VirusScanCheck } from './virus-scan.check.js';

/** Checks whether the service is as it should be, and changes nothing. */
@Injectable()
export class DoctorService {
  private readonly checks: Check[];
  /** Those that read a few settings or rows, and ask nobody else but clamd, which is near. */
  private readonly quick: Check[];

  constructor(
    durability: DurabilityCheck,
    packet: PacketCheck,
    clock: ClockCheck,
    disk: DiskCheck,
    instances: InstancesCheck,
    address: AddressCheck,
    certificate: CertificateCheck,
    counts: CountsCheck,
    deliveries: DeliveriesCheck,
    submissions: SubmissionsCheck,
    canaries: CanariesCheck,
    mailFlow: MailFlowCheck,
    mail: MailCheck,
    private readonly senderDns: SenderDns,
    oidc: OidcCheck,
    filters: SpamFiltersCheck,
    backups: BackupCheck,
    viruses: VirusScanCheck,
    secrets: SecretsCheck,
  ) {
    const scans = viruses.scanner.isOn ? [viruses] : [];
    this.checks = [
      durability,
      packet,
      clock,
      disk,
      instances,
      address,
      certificate,
      counts,
      deliveries,
      submissions,
      canaries,
      mailFlow,
      mail,
      oidc,
      filters,
      secrets,
      ...scans,
      backups,
    ];
    this.quick = [
      durability,
      packet,
      clock,
      disk,
      instances,
      certificate,
      deliveries,
      submissions,
      canaries,
      mailFlow,
      secrets,
      ...scans,
      backups,
    ];
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
    return this.run(this.quick);
  }

  /** Mends what the checks can mend themselves. */
  async mend(): Promise<void> {
    for (const check of this.checks) await check.mend?.();
  }

  private async run(checks: Check[], mailTo?: string): Promise<Finding[]> {
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
