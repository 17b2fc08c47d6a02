import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import { FieldsRefused } from '../model/submission.errors.js';
import { Verdict } from '../../spam/evidence/verdict.js';
import { SubmittedValues, PROBE_FORM } from '../model/submitted-values.js';
import { refuseTooLong } from './submission-inserts.js';
import { type ReceivedSubmission, SubmissionIntake } from './submission-intake.service.js';
import { SubmissionWriter } from './submission-writer.js';
import { PatternMatcher } from '../../forms/model/field.js';
import { Clock, SECOND_MS, timeOf, SigningService } from '../../platform/index.js';

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
  headerFor(identifier: string, id: Buffer) {
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
  async store(identifier: string, id: Buffer, received: ReceivedSubmission) {
    const form = await this.forms.findPublicCached(identifier);
    this.intake.assertOpen(form);
    const values = new SubmittedValues(received.members);
    const { fields } = form;
    const found = fields.problemsOf(values.items(), [], new PatternMatcher());
    const problems = found.filter(({ code }) => code !== PATTERN);
    if (problems.length > 0 && !fields.holds) {
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

/** Header by which a request says that it is a probe, and its answer how that ended. */
export const PROBE_HEADER = 'x-canary';

/** Answer to a probe that is stored; to any other, it is the code of the error. */
export const PROBE_STORED = 'stored';

/**
 * An idempotency key that intake refuses for its length: where a proxy drops our header, or its signature is not known,
 * a probe must not become a submission.
 */
export const PROBE_REFUSED_KEY = 'canary'.repeat(50);
