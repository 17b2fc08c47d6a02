import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { MediaTypeGuard } from './media-type.guard.js';
import { ProblemFilter } from './problem.filter.js';
import { Traffic } from './traffic.js';
import { validationPipe } from './validation.pipe.js';

/** What holds for every route of the API: how input is checked, how errors are told, what is counted. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: MediaTypeGuard },
    { provide: APP_PIPE, useFactory: validationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
    Traffic,
  ],
  exports: [Traffic],
})
export class HttpModule {}
