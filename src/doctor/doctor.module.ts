import { Module } from '@nestjs/common';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { CountsCheck } from './counts.check.js';
import { DoctorService } from './doctor.service.js';
import { DurabilityCheck } from './durability.check.js';

@Module({
  imports: [SubmissionsModule],
  providers: [CountsCheck, DurabilityCheck, DoctorService],
})
export class DoctorModule {}
