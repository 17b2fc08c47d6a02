import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveriesModule } from '../../deliveries/deliveries.module.js';
import { FormsModule } from '../../forms/forms.module.js';
import { FacetCount } from '../facets/facet-count.entity.js';
import { FacetCounting } from '../facets/facet-counting.service.js';
import { FacetCountsRepository } from '../facets/facet-counts.repository.js';
import { FacetSumsRepository } from '../facets/facet-sums.repository.js';
import { FacetValue } from '../facets/facet-value.entity.js';
import { FacetValuesRepository } from '../facets/facet-values.repository.js';
import { FacetsController } from '../facets/facets.controller.js';
import { FacetsService } from '../facets/facets.service.js';
import { CountSumsRepository } from './count-sums.repository.js';
import { StatisticsController } from './statistics.controller.js';
import { StatisticsService } from './statistics.service.js';
import { SubmissionCount } from './submission-count.entity.js';
import { SubmissionCountsRepository } from './submission-counts.repository.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SubmissionCount, FacetCount, FacetValue]),
    FormsModule,
    DeliveriesModule,
  ],
  controllers: [StatisticsController, FacetsController],
  providers: [
    StatisticsService,
    SubmissionCountsRepository,
    CountSumsRepository,
    FacetCounting,
    FacetCountsRepository,
    FacetSumsRepository,
    FacetValuesRepository,
    FacetsService,
  ],
  exports: [StatisticsService, SubmissionCountsRepository, FacetCounting, FacetsService],
})
export class StatisticsModule {}
