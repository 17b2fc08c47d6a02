import { Global, Module } from '@nestjs/common';
import { DiscoveryModule, APP_PIPE } from '@nestjs/core';
import { Hooks } from './hooks/hooks.js';
import { TaskRunner } from './background/task-runner.js';
import { Config } from './config/config.js';
import { GuardedHttpClient } from './http-client/guarded-http-client.js';
import { BodiesUnderWay } from './http/bodies/bodies-under-way.js';
import { Certificates, PlainPort } from './http/tls/acme.js';
import { RequestMetrics } from './http/requests/requests.js';
import { validationPipe } from './http/problem.filter.js';
import { OidcClient } from './oidc/oidc-client.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { RateCountsRepository, RateCountStore } from './rate-limits/rate-counts.repository.js';
import { RateLimits } from './rate-limits/rate-limits.js';
import { SealedRows, SecretBox } from './secrets/secret-box.js';
import { Signals, SignalsRepository } from './signals/signals.js';
import { SigningKeysRepository } from './signed-links/signing-keys.repository.js';
import { SigningService } from './signed-links/signing.service.js';

/** Provides what serves every noun: settings aside, all that knows none. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    Certificates,
    BodiesUnderWay,
    Hooks,
    OidcClient,
    PlainPort,
    RateLimits,
    RequestMetrics,
    SealedRows,
    SecretBox,
    Signals,
    SignalsRepository,
    SigningKeysRepository,
    SigningService,
    TaskRunner,
    { provide: APP_PIPE, useFactory: validationPipe },
    {
      provide: GuardedHttpClient,
      inject: [Config],
      useFactory: (config: Config) => new GuardedHttpClient(config),
    },
    {
      provide: RateCountStore,
      inject: [Config, UnitOfWork],
      useFactory: ({ database }: Config, unitOfWork: UnitOfWork) =>
        // The embedded database has one process.
        database.kind === 'server' ? new RateCountsRepository(unitOfWork) : new RateCountStore(),
    },
  ],
  exports: [
    BodiesUnderWay,
    Certificates,
    DiscoveryModule,
    GuardedHttpClient,
    Hooks,
    OidcClient,
    RateLimits,
    RequestMetrics,
    SealedRows,
    SecretBox,
    Signals,
    SigningService,
  ],
})
export class PlatformModule {}
