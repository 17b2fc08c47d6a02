import { Injectable } from '@nestjs/common';
import { VirusScanner } from '../../files/scans/virus-scanner.js';
import { UploadScans } from '../../files/upload-scans.service.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import type { Check, Outcome } from './check.js';

/** Time for the answer of clamd, in milliseconds. */
const ANSWER_MS = 2 * SECOND_MS;
/** Waiting files that are counted. */
const COUNTED_MAX = 1_000;

/** Asks whether clamd is there, and how many files wait for it. */
@Injectable()
export class VirusScanCheck implements Check {
  readonly name = 'virus scan';
  readonly settings = ['CLAMD', 'CLAMD_MAX_BYTES'];

  constructor(
    readonly scanner: VirusScanner,
    private readonly scans: UploadScans,
  ) {}

  async run(): Promise<Outcome> {
    const count = await this.scans.countWaiting(COUNTED_MAX);
    const many = count === COUNTED_MAX ? `${count} or more` : count;
    const waiting = `${many} ${count === 1 ? 'file waits' : 'files wait'} for a scan.`;
    try {
      await this.scanner.verify(AbortSignal.timeout(ANSWER_MS));
    } catch (error) {
      const detail = `clamd: ${(error as Error).message} Files are stored and not scanned; ${waiting} Check CLAMD and the firewall.`;
      return { state: 'failed', detail };
    }
    if (count === 0)
      return { state: 'ok', detail: 'clamd can be reached. No file waits for a scan.' };
    return { state: 'warning', detail: `clamd can be reached. ${waiting}` };
  }
}
