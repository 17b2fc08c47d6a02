import { Injectable, Logger } from '@nestjs/common';
import type { Readable } from 'node:stream';
import { Config } from '../../platform/config/config.js';
import { countersBy } from '../../platform/kernel/counters.js';
import { Clock } from '../../platform/kernel/time/clock.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import { Turns } from '../../platform/kernel/turns.js';
import { ClamdSilent, ClamdTooLarge, pingClamd, scanByClamd } from './clamd.js';
import type { Scanned } from './file-scan-inserts.js';
import { VIRUS_MAX } from './file-scan.entity.js';

/** Files that this process has scanned at a time: clamd has ten threads by default. */
const AT_ONCE = 8;
/** Time in milliseconds in which no visitor waits for a clamd that did not answer. */
const PAUSE_MS = 10 * SECOND_MS;

/** The content of a file. */
export interface Scannable {
  /** In bytes. */
  size: number;
  /** Opens it; null when it is gone. @throws the error of the disk */
  open: () => Promise<Readable | null>;
}

/** The file was erased meanwhile. */
class ContentGone extends Error {}

/** Has files scanned by the operator's clamd. A file that it does not scan is the operator's to know, and never an error. */
@Injectable()
export class VirusScanner {
  /** Scans of this process by their result. */
  readonly results = countersBy('result');
  private readonly logger = new Logger(VirusScanner.name);
  private readonly turns = new Turns(AT_ONCE);
  /** Why files are not scanned now; null when they are. */
  private trouble: string | null = null;
  private silentUntil = -Infinity;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** Tells whether files are scanned at all. */
  get isOn(): boolean {
    return this.config.intake.clamd !== undefined;
  }

  /** Tells whether clamd did not answer a moment ago. */
  get isSilent(): boolean {
    return performance.now() < this.silentUntil;
  }

  /** Asks whether clamd is there. @throws ClamdSilent, ClamdRefused */
  async verify(signal: AbortSignal): Promise<void> {
    const { clamd } = this.config.intake;
    if (clamd === undefined) return;
    await pingClamd(clamd, signal);
    this.silentUntil = -Infinity;
  }

  /** Scans a file. Without an answer it stays unscanned; it is due again at once, unless it is too large. */
  async scan(file: Scannable, signal: AbortSignal): Promise<Scanned> {
    try {
      const virus = await this.turns.run(() => this.virusIn(file, signal));
      this.tell(null);
      const state = virus === null ? 'clean' : 'infected';
      this.results.of(state).add();
      return { state, virus: virus?.slice(0, VIRUS_MAX) ?? null, dueAt: null };
    } catch (error) {
      const isNever = error instanceof ClamdTooLarge || error instanceof ContentGone;
      this.results.of('failed').add();
      if (error instanceof ClamdSilent) this.silentUntil = performance.now() + PAUSE_MS;
      if (!isNever) this.tell((error as Error).message);
      return { state: 'unscanned', virus: null, dueAt: isNever ? null : this.clock.now() };
    }
  }

  private async virusIn({ size, open }: Scannable, signal: AbortSignal): Promise<string | null> {
    const { clamd, clamdMaxBytes } = this.config.intake;
    if (clamd === undefined) throw new ClamdSilent('CLAMD is not set.');
    if (size > clamdMaxBytes) throw new ClamdTooLarge();
    if (signal.aborted) throw new ClamdSilent('It does not respond in time.');
    const content = await open();
    if (content === null) throw new ContentGone();
    try {
      return await scanByClamd(clamd, content, signal);
    } finally {
      content.destroy();
    }
  }

  /** Logs when scans begin to fail, and when they work again. */
  private tell(trouble: string | null): void {
    const before = this.trouble;
    this.trouble = trouble;
    if (trouble === null && before !== null) this.logger.log('Files are scanned again');
    if (trouble !== null && before === null) {
      this.logger.warn('Files are not scanned for viruses', { reason: trouble });
    }
  }
}
