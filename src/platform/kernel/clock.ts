import { Injectable } from '@nestjs/common';

/** What time it is; asked wherever a delay of minutes or more is decided, so that it can be set. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
