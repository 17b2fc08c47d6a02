import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { FormWatchesRepository } from './form-watches.repository.js';
import { InstanceWatch } from './instance-watch.service.js';
import { RefusalsModule } from './refusals/refusals.module.js';
import { WatchController } from './watch.controller.js';
import { WatchService } from './watcher.js';

/** Watches whether forms live as they used to. */
@Module({
  imports: [AccountsModule, FormsModule, RefusalsModule, StatisticsModule],
  controllers: [WatchController],
  providers: [FormWatchesRepository, InstanceWatch, WatchService],
  exports: [InstanceWatch, WatchService],
})
export class WatchModule {}
