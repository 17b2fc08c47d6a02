export { CanariesRepository } from './canaries.repository.js';
export { CanaryController } from './canary.controller.js';
export { CanaryService } from './canary.service.js';
export { PageChecks } from './page/page-checks.service.js';
export { ProbeChannel, ProbeRuns } from './probe/probe-runs.service.js';
