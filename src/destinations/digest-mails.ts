import { Injectable } from '@nestjs/common';
import { hourOf } from '../deliveries/digests/digest-hour.js';
import { DigestsService } from '../deliveries/digests/digests.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import type { Brand } from '../clients/brands/brands.service.js';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Form } from '../forms/model/form.entity.js';
import {
  destinationDigestMail,
  digestMail,
  digestRow,
  type DigestRow,
} from '../mail/messages/owner-mail.js';
import { sendAs, sentBy, type Message } from '../mail/parts/message.js';
import { Readers } from '../mail/readers.js';
import { Config } from '../platform/config/config.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions/submissions.service.js';

/** Most submissions that a digest lists, and that it counts. */
const LISTED = 25;
const COUNT_MAX = 1_000;

/** Writes the mails that tell owners of several submissions. */
@Injectable()
export class DigestMails {
  constructor(
    private readonly digests: DigestsService,
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly readers: Readers,
    private readonly config: Config,
  ) {}

  /**
   * Writes a digest; null when nothing is left that it could tell of.
   * @param isOfAccount whether clients are not to know of it
   */
  async compose(digest: Delivery, isOfAccount: boolean): Promise<Message | null> {
    const { id, createdAt, destinationId, recipient } = digest;
    const covered = await this.digests.covered(digest, COUNT_MAX + 1);
    const first: DigestRow[] = [];
    for (const { formId, submissionId } of covered.slice(0, LISTED)) {
      const form = await this.forms.find(formId);
      const submission = submissionId && (await this.submissions.find(formId, submissionId));
      // Of what can be a megabyte, a line is kept.
      if (form && submission) first.push(digestRow(form, submission));
    }
    const forms = await this.formsOf(covered);
    if (first.length === 0 || !forms) return null;
    const isMore = covered.length > COUNT_MAX;
    const count = isMore ? `Over ${COUNT_MAX}` : String(covered.length);
    const by = sentBy(await this.readers.brandFor(forms, recipient, isOfAccount), this.config);
    const { name: accountName, baseUrl, from } = by;
    const formName = forms.length === 1 ? forms[0].name : null;
    const content = { id, accountName, formName, count, hour: hourOf(createdAt), first };
    const write = destinationId ? destinationDigestMail : digestMail;
    return sendAs(by, write(content, baseUrl, from, recipient));
  }

  /** Writes the digest of a destination that tells of one submission alone. */
  about({ form, submission }: SubmissionInFull, to: string, brand: Readonly<Brand>): Message {
    const by = sentBy(brand, this.config);
    const { name: accountName, baseUrl, from } = by;
    const { id, createdAt } = submission;
    const content = { id, accountName, formName: form.name, count: '1', hour: hourOf(createdAt) };
    const mail = { ...content, first: [digestRow(form, submission)] };
    return sendAs(by, destinationDigestMail(mail, baseUrl, from, to));
  }

  /** Returns the forms that deliveries are of; null when there are none any more. */
  private async formsOf(covered: readonly Delivery[]): Promise<[Form, ...Form[]] | null> {
    const ids = [...new Set(covered.map(({ formId }) => formId))];
    const found = await Promise.all(ids.map((id) => this.forms.find(id)));
    const [first, ...others] = found.filter((form) => form !== null);
    return first ? [first, ...others] : null;
  }
}
