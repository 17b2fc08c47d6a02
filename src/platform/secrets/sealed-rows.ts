import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask, type TaskRun } from '../background/background-task.js';
import { HOUR_MS } from '../kernel/time/durations.js';
import { SecretBox, type Standing } from './secret-box.js';

/** A stored text that `SecretBox` sealed. */
export interface SealedRow {
  sealed: string;
  /** Stores another one in its place, unless somebody has changed it meanwhile. */
  replace: (sealed: string) => Promise<void>;
}

/** Lists all sealed texts of a noun. */
export type SealedSource = () => Promise<SealedRow[]>;

/** Seals anew what an old key holds, so that the old one can go. Nouns register what they sealed. */
@Injectable()
export class SealedRows {
  private readonly logger = new Logger(SealedRows.name);
  private readonly sources: SealedSource[] = [];

  constructor(private readonly box: SecretBox) {}

  register(source: SealedSource): void {
    this.sources.push(source);
  }

  /** Counts the sealed texts by the key that holds them. */
  async count(): Promise<Record<Standing, number>> {
    const counts = { current: 0, old: 0, unreadable: 0 };
    for (const { sealed } of await this.list()) counts[await this.box.standingOf(sealed)]++;
    return counts;
  }

  @BackgroundTask('sealing secrets anew', HOUR_MS)
  async sealAnew({ signal }: Pick<TaskRun, 'signal'>): Promise<void> {
    let done = 0;
    for (const { sealed, replace } of await this.list()) {
      if (signal?.aborted) return;
      if ((await this.box.standingOf(sealed)) !== 'old') continue;
      await replace(await this.box.seal(await this.box.open(sealed)));
      done++;
    }
    if (done > 0) this.logger.log('Secrets were sealed anew with the first key', { done });
  }

  private async list(): Promise<SealedRow[]> {
    const found: SealedRow[] = [];
    for (const source of this.sources) found.push(...(await source()));
    return found;
  }
}
