export { CountersRepository } from './counts/counters.repository.js';
export { Counting } from './counts/counting.service.js';
export { FacetsController } from './facets/facets.controller.js';
export { FacetsService } from './facets/facets.service.js';
export { SpamStatisticsController } from './spam/spam-statistics.controller.js';
export { SpamStatisticsService } from './spam/spam-statistics.service.js';
export { StatisticsController } from './counts/statistics.controller.js';
export { StatisticsService } from './counts/statistics.service.js';
