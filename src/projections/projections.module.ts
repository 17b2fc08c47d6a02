import { Global, Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Projections } from './projections.js';

@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [Projections],
  exports: [Projections],
})
export class ProjectionsModule {}
