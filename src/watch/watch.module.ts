export { RefusalsController } from './refusals/refusals.controller.js';
export { RefusalsService } from './refusals/refusals.service.js';
export { FormWatchesRepository } from './form-watches.repository.js';
export { InstanceWatch } from './instance-watch.service.js';
export { WatchController } from './watch.controller.js';
export { WatchService } from './watcher.js';
