import { Module } from '@nestjs/common';
import { ClientsModule } from '../clients/clients.module.js';
import { FormsModule } from '../forms/forms.module.js';
import { StatisticsModule } from '../statistics/statistics.module.js';
import { ReportsController } from './reports.controller.js';
import { ReportsService } from './reports.service.js';

/** Reports to clients what their forms received. */
@Module({
  imports: [ClientsModule, FormsModule, StatisticsModule],
  controllers: [ReportsController],
  providers: [ReportsService],
  exports: [ReportsService],
})
export class ReportsModule {}
