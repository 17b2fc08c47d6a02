import { Module } from '@nestjs/common';
import { CanaryModule } from '../canary/canary.module.js';
import { ClientsModule } from '../clients/clients.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { SearchModule } from '../search/search.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { WatchModule } from '../watch/watch.module.js';
import { FleetChanges } from './fleet-changes.service.js';
import { FleetController } from './fleet.controller.js';
import { FleetService } from './fleet.service.js';

/** Shows how all forms fare, and changes many at once. */
@Module({
  imports: [
    CanaryModule,
    ClientsModule,
    FormsModule,
    SearchModule,
    StatisticsModule,
    WarningsModule,
    WatchModule,
  ],
  controllers: [FleetController],
  providers: [FleetChanges, FleetService],
  exports: [FleetChanges, FleetService],
})
export class FleetModule {}
