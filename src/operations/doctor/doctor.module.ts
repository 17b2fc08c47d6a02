import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { MailModule } from '../../mail/mail.module.js';
import { SubmissionsModule } from '../../submissions/submissions.module.js';
import { AddressCheck } from './address.check.js';
import { ClockCheck } from './clock.check.js';
import { CountsCheck } from './counts.check.js';
import { DeliveriesCheck } from './deliveries.check.js';
import { DiskCheck } from './disk.check.js';
import { DoctorService } from './doctor.service.js';
import { DurabilityCheck } from './durability.check.js';
import { MailCheck } from './mail.check.js';
import { PacketCheck } from './packet.check.js';

@Module({
  imports: [DeliveriesModule, MailModule, SubmissionsModule],
  providers: [
    AddressCheck,
    ClockCheck,
    CountsCheck,
    DeliveriesCheck,
    DiskCheck,
    DurabilityCheck,
    MailCheck,
    PacketCheck,
    DoctorService,
  ],
})
export class DoctorModule {}
