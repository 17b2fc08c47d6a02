import { APP_PIPE } from '@nestjs/core';
import { Config } from './config/config.js';
import { UnitOfWork } from './database/unit-of-work.js';
import { GuardedHttpClient } from './http-client/guarded-http-client.js';
import { validationPipe } from './http/problem.filter.js';
import * as parts from './platform.parts.module.js';
import { RateCountsRepository, RateCountStore } from './rate-limits/rate-counts.repository.js';
import { Room } from './room.js';

/** Provides what serves every noun: settings aside, all that knows none. */
@Room({
  ...parts,
  pipe: { provide: APP_PIPE, useFactory: validationPipe },
  http: {
    provide: GuardedHttpClient,
    inject: [Config],
    useFactory: (config: Config) => new GuardedHttpClient(config),
  },
  rateCounts: {
    provide: RateCountStore,
    inject: [Config, UnitOfWork],
    useFactory: ({ database }: Config, unitOfWork: UnitOfWork) =>
      // The embedded database has one process.
      database.kind === 'server' ? new RateCountsRepository(unitOfWork) : new RateCountStore(),
  },
})
export class PlatformModule {}
