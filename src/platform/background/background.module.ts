import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { BackgroundTasks } from './background-tasks.js';

@Module({
  imports: [DiscoveryModule],
  providers: [BackgroundTasks],
})
export class BackgroundModule {}
