import { Room } from '../platform/room.js';
import { CanariesRepository } from './canaries.repository.js';
import { CanaryController } from './canary.controller.js';
import { CanaryService, CanaryWorker } from './canary.service.js';
import { PageChecks } from './page/page-checks.service.js';
import { ProbeChannel, ProbeRuns } from './probe/probe-runs.service.js';

/** Proves that forms reach the service, and that what arrives goes on. */
@Room({
  controllers: [CanaryController],
  providers: [CanariesRepository, CanaryService, CanaryWorker, PageChecks, ProbeChannel, ProbeRuns],
})
export class CanaryModule {}
