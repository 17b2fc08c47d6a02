import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { MediaTypeGuard } from './media-type.guard.js';
import { ProblemFilter } from './problem.filter.js';
import { validationPipe } from './validation.pipe.js';

/** What holds for every route of the API: how input is checked and how errors are told. */
@Module({
  providers: [
    { provide: APP_GUARD, useClass: MediaTypeGuard },
    { provide: APP_PIPE, useFactory: validationPipe },
    { provide: APP_FILTER, useClass: ProblemFilter },
  ],
})
export class HttpModule {}
