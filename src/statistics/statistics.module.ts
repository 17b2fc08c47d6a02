import { Module } from '@nestjs/common';
import { RecentCountsRepository } from './counts/recent-counts.repository.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { FacetCounting } from './facets/facet-counting.service.js';
import { FacetCountsRepository, FacetValuesRepository } from './facets/facet-values.repository.js';
import { FacetSumsRepository } from './facets/facet-sums.repository.js';
import { FacetsController } from './facets/facets.controller.js';
import { FacetsService } from './facets/facets.service.js';
import { FormsModule } from '../forms/forms.module.js';
import { RecentCounts } from './counts/recent-counts.service.js';
import { SpamModule } from '../spam/spam.module.js';
import { SpamStatisticsController } from './spam/spam-statistics.controller.js';
import { SpamStatisticsService } from './spam/spam-statistics.service.js';
import { StatisticsController } from './counts/statistics.controller.js';
import { StatisticsService } from './counts/statistics.service.js';
import { SubmissionCountsRepository } from './counts/submission-counts.repository.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';

/** Counts submissions by time, by facet and by verdict. */
@Module({
  imports: [DeliveriesModule, FormsModule, SpamModule, SubmissionsModule],
  controllers: [StatisticsController, FacetsController, SpamStatisticsController],
  providers: [
    FacetCounting,
    FacetCountsRepository,
    FacetsService,
    FacetSumsRepository,
    FacetValuesRepository,
    RecentCounts,
    RecentCountsRepository,
    SpamStatisticsService,
    StatisticsService,
    SubmissionCountsRepository,
  ],
  exports: [
    FacetCounting,
    FacetsService,
    RecentCounts,
    SpamStatisticsService,
    StatisticsService,
    SubmissionCountsRepository,
  ],
})
export class StatisticsModule {}
