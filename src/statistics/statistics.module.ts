import { Room } from '../platform/room.js';
import { RecentCountsRepository } from './counts/recent-counts.repository.js';
import { FacetCounting } from './facets/facet-counting.service.js';
import { FacetCountsRepository, FacetValuesRepository } from './facets/facet-values.repository.js';
import { FacetSumsRepository } from './facets/facet-sums.repository.js';
import { FacetsController } from './facets/facets.controller.js';
import { FacetsService } from './facets/facets.service.js';
import { RecentCounts } from './counts/recent-counts.service.js';
import { SpamStatisticsController } from './spam/spam-statistics.controller.js';
import { SpamStatisticsService } from './spam/spam-statistics.service.js';
import { StatisticsController } from './counts/statistics.controller.js';
import { StatisticsService } from './counts/statistics.service.js';
import { SubmissionCountsRepository } from './counts/submission-counts.repository.js';

/** Counts submissions by time, by facet and by verdict. */
@Room({
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
})
export class StatisticsModule {}
