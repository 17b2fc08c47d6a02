import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { RateCountsRepository } from './rate-counts.repository.js';
import { RateLimits } from './rate-limits.js';
import { RateCount } from './rate-count.entity.js';
import { RateCountStore } from './rate-count-store.js';

/** Provides limits on how often someone may send requests, shared by instances where possible. */
@Module({
  imports: [TypeOrmModule.forFeature([RateCount])],
  providers: [
    {
      provide: RateCountStore,
      inject: [Config, UnitOfWork],
      useFactory: ({ database }: Config, unitOfWork: UnitOfWork) =>
        // The embedded database has one process.
        database.kind === 'server' ? new RateCountsRepository(unitOfWork) : new RateCountStore(),
    },
    RateLimits,
  ],
  exports: [RateLimits],
})
export class RateLimitsModule {}
