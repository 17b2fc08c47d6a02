import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { BodiesUnderWay } from './bodies-under-way.js';
import { BodyInterceptor } from './body.interceptor.js';
import { RequestMetrics } from './request-metrics.js';
import { validationPipe } from './validation.pipe.js';

/** What holds for every route of the API: how bodies are read and checked, what is counted. */
@Module({
  providers: [
    BodiesUnderWay,
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_PIPE, useFactory: validationPipe },
    RequestMetrics,
  ],
  exports: [RequestMetrics],
})
export class HttpModule {}
