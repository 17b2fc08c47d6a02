import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ClientsModule } from '../clients/clients.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { TokensModule } from '../tokens/tokens.module.js';
import { BearerGuard } from './bearer.guard.js';
import { BearerStrategy } from './bearer.strategy.js';

@Module({
  imports: [TokensModule, ClientsModule, LimitsModule],
  providers: [BearerStrategy, { provide: APP_GUARD, useClass: BearerGuard }],
})
export class AuthModule {}
