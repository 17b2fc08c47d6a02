import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClientsModule } from '../clients/clients.module.js';
import { RateLimitsModule } from '../platform/rate-limits/rate-limits.module.js';
import { PeopleModule } from '../people/people.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';
import { SessionGuard } from './session.guard.js';

@Module({
  imports: [TokensModule, ClientsModule, RateLimitsModule, PeopleModule],
  providers: [
    BearerStrategy,
    { provide: APP_GUARD, useClass: BearerGuard },
    { provide: APP_GUARD, useClass: SessionGuard },
  ],
})
export class AuthModule {}
