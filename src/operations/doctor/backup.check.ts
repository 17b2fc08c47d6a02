import { Injectable } from '@nestjs/common';
import { byteSize } from '../../platform/kernel/byte-size.js';
import { ScheduledBackups } from '../backup/scheduled-backups.js';
import type { Check, Outcome } from './check.js';
import { minuteText } from './minute-text.js';

/** Checks that the last scheduled backup was made. */
@Injectable()
export class BackupCheck implements Check {
  readonly name = 'backups';
  readonly settings = ['BACKUP_SCHEDULE', 'BACKUP_DIR', 'BACKUP_COMMAND'];

  constructor(private readonly backups: ScheduledBackups) {}

  async run(): Promise<Outcome> {
    const { isScheduled, folder, newest, nextAt, trouble } = await this.backups.state();
    const last = newest
      ? `The last backup, of ${minuteText(newest.at)}, has ${byteSize(newest.bytes)} and is in ${folder}.`
      : `There is no backup in ${folder} yet.`;
    if (trouble !== null) return { state: 'failed', detail: `${trouble} ${last}` };
    if (!isScheduled || nextAt === null)
      return {
        state: 'warning',
        detail: `The service makes no backups by itself: BACKUP_SCHEDULE is off. ${last}`,
      };
    return { state: 'ok', detail: `${last} The next is due at ${minuteText(nextAt)}.` };
  }
}
