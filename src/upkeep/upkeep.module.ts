import { Module } from '@nestjs/common';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FilesModule } from '../files/files.module.js';
import { IntakeModule } from '../intake/intake.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { Upkeep } from './upkeep.js';

@Module({
  imports: [
    DeliveriesModule,
    FilesModule,
    IntakeModule,
    LimitsModule,
    SubmissionsModule,
    WebhooksModule,
  ],
  providers: [Upkeep],
})
export class UpkeepModule {}
