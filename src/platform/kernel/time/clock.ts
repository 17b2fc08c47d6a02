import { Injectable } from '@nestjs/common';

/** Tells the time wherever a delay of minutes or more is decided, so that tests can set it. */
@Injectable()
export class Clock {
  now(): Date {
    return new Date();
  }
}
