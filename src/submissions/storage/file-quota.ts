import { Injectable } from '@nestjs/common';
import { FileStore, type ReceivedFile } from '../files/file-store.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Config } from '../../platform/index.js';
import { AccountFilesFull } from '../model/submission.errors.js';
import type { FileTaker } from './imported-submissions.service.js';

/**
 * How long the sum of an account is remembered, in milliseconds: what was erased meanwhile, or stored by
 * another instance, is seen after it.
 */
const REMEMBERED_MS = 2_000;

/** Most accounts remembered at a time; beyond it those without files under way are forgotten. */
const ACCOUNTS_MAX = 10_000;

/** Bytes of the files of an account, as far as this process knows. */
interface Usage {
  stored: number;
  /** When `stored` is read again, by `performance.now()`. */
  until: number;
  reading: Promise<void> | null;
  /** Bytes of submissions that are not answered yet. */
  underWay: number;
}

/**
 * Holds the files of an account to MAX_ACCOUNT_FILES_BYTES. Bytes are counted while they arrive, since not
 * every request announces its length; what is under way in other instances is not seen.
 */
@Injectable()
export class FileQuota {
  private readonly usages = new Map<number, Usage>();

  constructor(
    private readonly totals: FormQueries,
    private readonly store: FileStore,
    private readonly config: Config,
  ) {}

  /**
   * Takes one submission in, whose files have to fit; others' files are counted meanwhile.
   * @param work stores the submission; the taker that it gets throws AccountFilesFull
   */
  during<Accepted extends { outcome: string }>(
    accountId: number,
    work: (files: FileTaker) => Promise<Accepted>,
  ): Promise<Accepted> {
    const max = this.config.intake.maxAccountFilesBytes;
    return max === 0 ? work(this.store) : this.counted(accountId, max, work);
  }

  private async counted<Accepted extends { outcome: string }>(
    accountId: number,
    max: number,
    work: (files: FileTaker) => Promise<Accepted>,
  ) {
    const files = new CountedFiles(this.store, max, () => this.usageOf(accountId));
    try {
      const accepted = await work(files);
      if (accepted.outcome !== 'replayed') files.stay();
      return accepted;
    } finally {
      files.end();
    }
  }

  private async usageOf(accountId: number) {
    const usage = this.usages.get(accountId) ?? this.remember(accountId);
    if (usage.until <= performance.now()) {
      usage.reading ??= this.read(accountId, usage);
      await usage.reading;
    }
    return usage;
  }

  private remember(accountId: number): Usage {
    if (this.usages.size >= ACCOUNTS_MAX) {
      for (const [id, { underWay }] of this.usages) if (underWay === 0) this.usages.delete(id);
    }
    const usage = { stored: 0, until: 0, reading: null, underWay: 0 };
    this.usages.set(accountId, usage);
    return usage;
  }

  private async read(accountId: number, usage: Usage) {
    try {
      usage.stored = await this.totals.filesBytes(accountId);
      usage.until = performance.now() + REMEMBERED_MS;
    } finally {
      usage.reading = null;
    }
  }
}

/** Counts the files of one submission on their way to the disk. */
class CountedFiles implements FileTaker {
  private usage: Usage | null = null;
  private bytes = 0;

  constructor(
    private readonly store: FileStore,
    private readonly max: number,
    private readonly usageOf: () => Promise<Usage>,
  ) {}

  /** Takes a file as the store does. @throws AccountFilesFull, FilesUnavailable */
  async receive(content: AsyncIterable<Buffer>, admit: (bytes: number) => void): Promise<ReceivedFile> {
    const usage = (this.usage ??= await this.usageOf());
    if (usage.stored + usage.underWay >= this.max) throw new AccountFilesFull();
    return this.store.receive(content, (bytes) => {
      admit(bytes);
      this.bytes += bytes;
      usage.underWay += bytes;
      if (usage.stored + usage.underWay > this.max) throw new AccountFilesFull();
    });
  }

  remove(id: Buffer) {
    return this.store.remove(id);
  }

  /** Counts the files as stored, until the sum is read again. */
  stay() {
    if (this.usage) this.usage.stored += this.bytes;
  }

  end() {
    if (this.usage) this.usage.underWay -= this.bytes;
  }
}
