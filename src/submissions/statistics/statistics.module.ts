import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { FormsModule } from '../../forms/forms.module.js';
import { CountSumsRepository } from './count-sums.repository.js';
import { StatisticsController } from './statistics.controller.js';
import { StatisticsService } from './statistics.service.js';
import { SubmissionCount } from './submission-count.entity.js';
import { SubmissionCountsRepository } from './submission-counts.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([SubmissionCount]), FormsModule, DeliveriesModule],
  controllers: [StatisticsController],
  providers: [StatisticsService, SubmissionCountsRepository, CountSumsRepository],
  exports: [StatisticsService, SubmissionCountsRepository],
})
export class StatisticsModule {}
