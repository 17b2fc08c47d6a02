import { FormRefusalsRepository } from './refusals/form-refusals.repository.js';
import { RefusalsController } from './refusals/refusals.controller.js';
import { RefusalsService } from './refusals/refusals.service.js';
import { Room } from '../platform/room.js';
import { FormWatchesRepository } from './form-watches.repository.js';
import { InstanceWatch } from './instance-watch.service.js';
import { WatchController } from './watch.controller.js';
import { WatchService } from './watcher.js';

/** Watches whether forms live as they used to. */
@Room({
  controllers: [RefusalsController, WatchController],
  providers: [
    FormRefusalsRepository,
    RefusalsService,
    FormWatchesRepository,
    InstanceWatch,
    WatchService,
  ],
})
export class WatchModule {}
