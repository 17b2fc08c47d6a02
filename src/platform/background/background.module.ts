import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TaskRunner } from './task-runner.js';

@Module({
  imports: [DiscoveryModule],
  providers: [TaskRunner],
})
export class BackgroundModule {}
