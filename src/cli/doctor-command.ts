import { Command } from 'commander';
import { recordLine } from '../operations/doctor/check.js';
import { DoctorService } from '../operations/doctor/doctor.service.js';
import { CanaryService } from '../canary/canary.service.js';
import { Refused } from './kit/cli.errors.js';
import { readEmail } from './kit/options.js';
import { print } from './kit/print.js';
import { withApp } from './kit/with-app.js';

interface DoctorOptions {
  to?: string;
  mend?: boolean;
  /** True for all forms. */
  canary?: string | true;
  json?: boolean;
}

/** Limits of a canary, however well it ends. */
const NOT_SEEN =
  'Not seen: errors of scripts, captchas, and what a browser of a visitor blocks. See docs/canary.md.';

/** Returns the command `doctor`. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Check database, clock, disk, BASE_URL, counts, deliveries, mail and its DNS. Exits with 1 if a check fails.',
    )
    .option('--to <address>', 'send a test email to this address')
    .option('--mend', 'fix wrong counts of forms first')
    .option(
      '--canary [form]',
      'run only the canary of this form, or of all forms with submissions: fetch its page, and send a test submission that nobody is told of',
    )
    .option('--json', 'print JSON')
    .action(async (options: DoctorOptions) => {
      if (options.canary !== undefined) return runCanaries(options.canary, options);
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

async function runCanaries(form: string | true, options: { json?: boolean }): Promise<void> {
  const rows = await withApp(async (app) => {
    const found: { form: string; step: string; state: string; code: string; detail: string }[] = [];
    for await (const { form: examined, steps } of app
      .get(CanaryService)
      .examine(form === true ? null : form)) {
      const { identifier } = examined;
      found.push(...steps.map((each) => ({ form: identifier, ...each, code: each.code ?? '' })));
    }
    return found;
  });
  print(rows, options);
  if (options.json !== true) process.stdout.write(`\n${NOT_SEEN}\n`);
  const failed = new Set(rows.filter(({ state }) => state === 'failed').map((row) => row.form));
  if (failed.size > 0) throw new Refused(`Failed: ${[...failed].join(', ')}.`);
}
