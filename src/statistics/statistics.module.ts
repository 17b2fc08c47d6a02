export { CountersRepository } from './counters.repository.js';
export { Counting } from './counting.service.js';
export { FacetsController } from './statistics.controller.js';
export { FacetsService } from './facets.service.js';
export { SpamStatisticsController } from './statistics.controller.js';
export { SpamStatisticsService } from './spam-statistics.service.js';
export { StatisticsController } from './statistics.controller.js';
export { StatisticsService } from './statistics.service.js';
