import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Projections } from './projections.js';

@Module({
  imports: [DiscoveryModule],
  providers: [Projections],
  exports: [Projections],
})
export class ProjectionsModule {}
