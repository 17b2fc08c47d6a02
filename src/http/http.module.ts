import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { BodiesUnderWay } from './bodies-under-way.js';
import { BodyInterceptor } from './body.interceptor.js';
import { ProblemFilter } from './problem.filter.js';
import { Traffic } from './traffic.js';
import { validationPipe } from './validation.pipe.js';

/** What holds for every route of the API: how input is checked, how errors are told, what is counted. */
@Module({
  providers: [
    BodiesUnderWay,
    { provide: APP_INTERCEPTOR, useClass: BodyInterceptor },
    { provide: APP_PIPE, useFactory: validationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
    Traffic,
  ],
  exports: [Traffic],
})
export class HttpModule {}
