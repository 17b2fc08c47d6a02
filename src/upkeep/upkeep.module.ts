import { Module } from '@nestjs/common';
import { FilesModule } from '../files/files.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { Upkeep } from './upkeep.js';

@Module({
  imports: [FilesModule, IntakeModule, SubmissionsModule],
  providers: [Upkeep],
})
export class UpkeepModule {}
