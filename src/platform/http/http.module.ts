import { Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { BodiesUnderWay } from './bodies/bodies-under-way.js';
import { RequestMetrics } from './requests/request-metrics.js';
import { validationPipe } from './validation.pipe.js';

/** Provides to every route of the API how bodies are read and checked, and how requests are counted. */
@Module({
  providers: [BodiesUnderWay, { provide: APP_PIPE, useFactory: validationPipe }, RequestMetrics],
  exports: [BodiesUnderWay, RequestMetrics],
})
export class HttpModule {}
