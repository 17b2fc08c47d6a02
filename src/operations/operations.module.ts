import { Room } from '../platform/room.js';
import { AddressCheck, CertificateCheck, OidcCheck } from './doctor/address.checks.js';
import { BackupCheck, DiskCheck, SecretsCheck, VirusScanCheck } from './doctor/storage.checks.js';
import {
  CanariesCheck,
  CountsCheck,
  DeliveriesCheck,
  SpamFiltersCheck,
  SubmissionsCheck,
  MailFlowCheck,
  MailCheck,
} from './doctor/work.checks.js';
import {
  ClockCheck,
  DurabilityCheck,
  PacketCheck,
  InstancesCheck,
} from './doctor/database.checks.js';
import type { Check } from './doctor/check.js';
import * as parts from './operations.parts.module.js';
import { SenderDns } from './doctor/sender-dns/sender-dns.js';
import { DoctorService } from './doctor/doctor.service.js';

/** All checks, in the order in which they run. */
const CHECKS = [
  DurabilityCheck,
  PacketCheck,
  ClockCheck,
  DiskCheck,
  InstancesCheck,
  AddressCheck,
  CertificateCheck,
  CountsCheck,
  DeliveriesCheck,
  SubmissionsCheck,
  CanariesCheck,
  MailFlowCheck,
  MailCheck,
  OidcCheck,
  SpamFiltersCheck,
  SecretsCheck,
  VirusScanCheck,
  BackupCheck,
];

/** Provides what an operator touches: checks, alarms, backups, health, metrics. */
@Room({
  ...parts,
  ...Object.fromEntries(CHECKS.map((check) => [check.name, check])),
  doctor: {
    provide: DoctorService,
    inject: [SenderDns, ...CHECKS],
    useFactory: (dns: SenderDns, ...checks: Check[]) => new DoctorService(checks, dns),
  },
})
export class OperationsModule {}
