import { Command } from 'commander';
import { recordLine } from '../operations/doctor/check.js';
import { DoctorService } from '../operations/doctor/doctor.service.js';
import { Refused } from './cli.errors.js';
import { readEmail } from './options.js';
import { print } from './print.js';
import { withApp } from './with-app.js';

/** Returns the command `doctor`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check database, clock, disk, BASE_URL, counts, deliveries, mail and its DNS. Exits with 1 if a check fails.',
    )
    .option('--to <address>', 'send a test email to this address')
    .option('--mend', 'fix wrong counts of forms first')
    .option('--json', 'print JSON')
    .action(async (options: { to?: string; mend?: boolean; json?: boolean }) => {
      const to = options.to === undefined ? undefined : readEmail('--to', options.to);
      const findings = await withApp(async (app) => {
        const doctor = app.get(DoctorService);
        if (options.mend === true) await doctor.mend();
        return doctor.examine(to);
      });
      print(
        findings.map(({ name, state, detail, records }) => ({
          name,
          state,
          detail,
          ...(options.json === true && records.length > 0 && { records }),
        })),
        options,
      );
      const records = findings.flatMap((finding) => finding.records);
      if (options.json !== true && records.length > 0) {
        const lines = records.map((record) => `${recordLine(record)}\n`);
        process.stdout.write(`\nDNS records to add or change:\n${lines.join('')}`);
      }
      const failed = findings.filter(({ state }) => state === 'failed');
      if (failed.length > 0) {
        throw new Refused(`Failed: ${failed.map(({ name }) => name).join(', ')}.`);
      }
    });
}
