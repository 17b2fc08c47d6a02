import { APP_PIPE } from '@nestjs/core';
import { Config } from './config/config.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { GuardedHttpClient } from './http-client/guarded-http-client.js';
import { validationPipe } from './http/problem.filter.js';
import { RateCountsRepository, RateCountStore } from './rate-limits/rate-counts.repository.js';

export { DiscoveryService, MetadataScanner } from '@nestjs/core';
export { ExpiredRows } from './background/tasks.js';
export { JobWorker } from './background/job-worker.js';
export { TaskRunner } from './background/tasks.js';
export { Jobs } from './database/jobs.js';
export { Hooks } from './hooks/hooks.js';
export { BodiesUnderWay } from './http/bodies/bodies-under-way.js';
export { RequestMetrics } from './http/requests/requests.js';
export { Certificates, PlainPort } from './http/tls/acme.js';
export { OidcClient } from './oidc/oidc-client.js';
export { RateLimits } from './rate-limits/rate-limits.js';
export { SealedRows, SecretBox } from './secrets/secret-box.js';
export { Signals, SignalsRepository } from './signals/signals.js';
export { SigningKeysRepository } from './signed-links/signing-keys.repository.js';
export { SigningService } from './signed-links/signing.service.js';

export const pipe = { provide: APP_PIPE, useFactory: validationPipe };

export const http = {
  provide: GuardedHttpClient,
  inject: [Config],
  useFactory: (config: Config) => new GuardedHttpClient(config),
};

export const rateCounts = {
  provide: RateCountStore,
  inject: [Config, UnitOfWork],
  useFactory: ({ database }: Config, unitOfWork: UnitOfWork) =>
    // The embedded database has one process.
    database.kind === 'server' ? new RateCountsRepository(unitOfWork) : new RateCountStore(),
};
