import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { FileStore, type ReceivedFile, type StoredFile } from '../../files/file-store.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { Config } from '../../platform/config/config.js';
import { AccountFilesFull, FieldsRefused } from '../model/submission.errors.js';
import type { Form } from '../../forms/model/form.entity.js';
import { runStatements } from '../../platform/database/sql.js';
import { Verdict } from '../../spam/evidence/verdict.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { facetsOf } from '../model/facet.js';
import type { SubmissionSource } from '../model/submission.entity.js';
import { SubmittedValues, digestsOf, PROBE_FORM } from '../model/submitted-values.js';
import { keyOf } from '../rows/submission-ids.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { insertsBeforeCounts, refuseTooLong, type NewSubmission } from './submission-inserts.js';
import {
  DIGEST_INLINE_CHARS,
  type ReceivedSubmission,
  SubmissionIntake,
} from './submission-intake.service.js';
import { SubmissionWriter } from './submission-writer.js';
import { PatternMatcher, FieldRules } from '../../forms/model/field-rules.js';
import { Clock, SECOND_MS } from '../../platform/kernel/time.js';
import { timeOf } from '../../platform/kernel/uuid.js';
import { SigningService } from '../../platform/signed-links/signing.service.js';

/**
 * How long the sum of an account is remembered, in milliseconds: what was erased meanwhile, or stored by
 * another instance, is seen after it.
 */
const REMEMBERED_MS = 2_000;
/** Most accounts remembered at a time; beyond it those without files under way are forgotten. */
const ACCOUNTS_MAX = 10_000;

/** Takes the files of one submission. */
export type FileTaker = Pick<FileStore, 'receive' | 'remove'>;

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
   * Takes one submission in, whose files have to fit; those of others are counted meanwhile.
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
  ): Promise<Accepted> {
    const files = new CountedFiles(this.store, max, () => this.usageOf(accountId));
    try {
      const accepted = await work(files);
      if (accepted.outcome !== 'replayed') files.stay();
      return accepted;
    } finally {
      files.end();
    }
  }

  private async usageOf(accountId: number): Promise<Usage> {
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

  private async read(accountId: number, usage: Usage): Promise<void> {
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
  async receive(
    content: AsyncIterable<Buffer>,
    admit: (bytes: number) => void,
  ): Promise<ReceivedFile> {
    const usage = (this.usage ??= await this.usageOf());
    if (usage.stored + usage.underWay >= this.max) throw new AccountFilesFull();
    return this.store.receive(content, (bytes) => {
      admit(bytes);
      this.bytes += bytes;
      usage.underWay += bytes;
      if (usage.stored + usage.underWay > this.max) throw new AccountFilesFull();
    });
  }

  remove(id: Buffer): Promise<void> {
    return this.store.remove(id);
  }

  /** Counts the files as stored, until the sum is read again. */
  stay(): void {
    if (this.usage) this.usage.stored += this.bytes;
  }

  end(): void {
    if (this.usage) this.usage.underWay -= this.bytes;
  }
}

/** A submission that another service received. */
export interface ImportedSubmission {
  /** Made of what identifies it there, so that a second import finds it; its time is that of the submission. */
  id: Buffer;
  /** The id that it has where it comes from, if that was one of our services; null otherwise. */
  formerId: Buffer | null;
  createdAt: Date;
  values: SubmittedValues;
  spam: boolean;
  source: SubmissionSource;
  /** On disk, and kept; none when it is not said. */
  files?: StoredFile[];
}

/** Stores what other services received, as visitors' submissions are stored; nobody is told. */
@Injectable()
export class ImportedSubmissions {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly writer: SubmissionWriter,
  ) {}

  /** Tells whether visitors' submissions come so fast that an import should wait. */
  get isToWait(): boolean {
    return this.writer.isUnderLoad;
  }

  /** Returns those of them that the form does not have yet, each once. */
  async newAmong(
    formId: number,
    some: readonly ImportedSubmission[],
    tx?: EntityManager,
  ): Promise<ImportedSubmission[]> {
    const ids = some.flatMap(({ id, formerId }) => (formerId ? [id, formerId] : [id]));
    const submissions = tx ? this.submissions.in(tx) : this.submissions;
    const known = new Set((await submissions.idsAmong(formId, ids)).map(keyOf));
    return some.filter(({ id, formerId }) => {
      if (known.has(keyOf(id)) || (formerId && known.has(keyOf(formerId)))) return false;
      known.add(keyOf(id));
      return true;
    });
  }

  /**
   * Stores them within a transaction: with counts and what is indexed later, and without deliveries.
   * @throws SubmissionTooLong
   */
  async store(tx: EntityManager, form: Form, some: readonly ImportedSubmission[]): Promise<void> {
    if (some.length === 0) return;
    const rows = some.map((each) => newSubmission(form, each));
    await runStatements(tx, insertsBeforeCounts(rows));
  }
}

function newSubmission(form: Form, imported: ImportedSubmission): NewSubmission {
  const { id, createdAt, values, source, spam, files = [] } = imported;
  const payload = values.encode();
  refuseTooLong(payload);
  const sent = { ...source, values };
  return {
    ...{ id, createdAt, payload, source, formId: form.id, accountId: form.accountId },
    digests: payload.length > DIGEST_INLINE_CHARS ? null : digestsOf(sent),
    facets: facetsOf(sent, payload.length),
    verdict: spam ? Verdict.imported(SpamSettings.of(form)) : Verdict.CLEAN,
    ...{ heldUntil: null, solution: null, limit: null, files, planned: [], idempotency: null },
    bytes: payload.length,
  };
}

/** Header by which a request says that it is a probe, and its answer how that ended. */
export const PROBE_HEADER = 'x-canary';
/** Answer to a probe that is stored; to any other, it is the code of the error. */
export const PROBE_STORED = 'stored';
/**
 * An idempotency key that intake refuses for its length: where a proxy drops our header, or its signature is not known,
 * a probe must not become a submission.
 */
export const PROBE_REFUSED_KEY = 'canary'.repeat(50);
/** Time for which a probe is taken, in milliseconds: intake waits no longer for a body. */
const LIFE_MS = 60 * SECOND_MS;
const PURPOSE = 'probe';
const ID_BYTES = 16;
/** The rule that no invented value can be expected to keep. */
const PATTERN = 'pattern_mismatch';

/**
 * Takes probes: submissions that the service sends to itself, to see that they arrive. One goes the way of all others up to
 * the commit, but that nobody judges it, and that it is stored under no form.
 */
@Injectable()
export class Probes {
  constructor(
    private readonly signing: SigningService,
    private readonly forms: FormQueries,
    private readonly intake: SubmissionIntake,
    private readonly writer: SubmissionWriter,
    private readonly clock: Clock,
  ) {}

  /** Returns the header of a probe: good for one form, one id and a minute. */
  headerFor(identifier: string, id: Buffer): Promise<string> {
    const payload = Buffer.concat([id, Buffer.from(identifier)]);
    return this.signing.sign(PURPOSE, payload, new Date(this.clock.now().getTime() + LIFE_MS));
  }

  /**
   * Returns the id of the probe that a header is for.
   * @param address the part of the address that stands for the form
   * @returns null for a header that is not ours, is over, or is for another form
   */
  async read(header: string | string[], address: string | null): Promise<Buffer | null> {
    const payload = await this.signing.verify(PURPOSE, String(header), this.clock.now());
    if (payload?.subarray(ID_BYTES).toString() !== address) return null;
    return payload.subarray(0, ID_BYTES);
  }

  /**
   * Stores a probe. The same one twice is stored once.
   * @throws FormNotFound, FormShut, FieldsRefused, SubmissionTooLong, WriterOverloaded, DatabaseUnavailable
   */
  async store(identifier: string, id: Buffer, received: ReceivedSubmission): Promise<void> {
    const form = await this.forms.findPublicCached(identifier);
    this.intake.assertOpen(form);
    const values = new SubmittedValues(received.members);
    const rules = FieldRules.decode(form.fieldRules);
    const found = rules.problemsOf(values.items(), [], new PatternMatcher());
    const problems = found.filter(({ code }) => code !== PATTERN);
    if (problems.length > 0 && !rules.holds) {
      throw new FieldsRefused(problems, form, { values: values.toText(), files: [] });
    }
    const payload = values.encode();
    refuseTooLong(payload);
    await this.writer.store({
      ...{ id, formId: PROBE_FORM.id, accountId: PROBE_FORM.accountId, createdAt: timeOf(id) },
      ...{ payload, digests: [], facets: [], bytes: payload.length, files: [], limit: null },
      ...{ verdict: Verdict.CLEAN, heldUntil: null, solution: null, idempotency: null },
      source: received.source,
      planned: [{ kind: 'probe', recipient: 'probe' }],
    });
  }
}
