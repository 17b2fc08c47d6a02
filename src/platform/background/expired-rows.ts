import { Injectable } from '@nestjs/common';
import { EXPIRIES, removeExpired } from '../database/expiry.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { HOUR_MS } from '../kernel/time.js';
import { inPortions } from './pace.js';
import { BackgroundTask, type TaskRun } from './task-runner.js';

/** Removes rows of the entities that say when theirs end. */
@Injectable()
export class ExpiredRows {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  @BackgroundTask('remove expired rows', HOUR_MS)
  async remove({ now, signal }: TaskRun): Promise<void> {
    for (const each of EXPIRIES)
      await inPortions(() => this.unitOfWork.run((tx) => removeExpired(tx, each, now)), signal);
  }
}
