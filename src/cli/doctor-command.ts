import { Command } from 'commander';
import { DoctorService } from '../doctor/doctor.service.js';
import { Refused } from './cli.errors.js';
import { print } from './print.js';
import { withApp } from './with-app.js';

/** `doctor` */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('Look whether counts and database are as they should be; fails when they are not.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const findings = await withApp((app) => app.get(DoctorService).examine());
      print(
        findings.map(({ name, state, detail }) => ({ name, state, detail })),
        options,
      );
      const failed = findings.filter(({ state }) => state === 'failed');
      if (failed.length > 0) {
        throw new Refused(`Failed: ${failed.map(({ name }) => name).join(', ')}.`);
      }
    });
}
