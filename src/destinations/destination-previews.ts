import { Injectable } from '@nestjs/common';
import { FormQueries } from '../forms/form-queries.service.js';
import { DestinationOpener } from './destination-opener.js';
import { directOf, recipientsOf } from './model/kind-settings.js';
import { DigestMails } from '../mail/mail-channel.js';
import { commaList } from '../platform/kernel/text/text.js';
import type { Principal } from '../access/principal.js';
import { FormMails } from '../mail/messages/form-mails.js';
import { Readers } from '../mail/readers.js';
import { SubmissionPages } from '../search/pages/submission-pages.service.js';
import { templateIn, type DestinationPreview } from './destination-channel.js';

/** Named as the recipient of a mail that would go to nobody. */
const SOMEBODY = 'somebody@example.com';

/** Shows the mails of destinations before anything is stored. */
@Injectable()
export class DestinationPreviews {
  constructor(
    private readonly forms: FormQueries,
    private readonly examples: SubmissionPages,
    private readonly opener: DestinationOpener,
    private readonly mails: FormMails,
    private readonly digests: DigestMails,
    private readonly readers: Readers,
  ) {}

  /**
   * Writes the mail about the newest submission of a form, or about a sample where there is none to be seen; with a digest
   * the one that tells of it alone.
   * @param given settings of the mail, all of them
   * @throws FormNotFound, InvalidFields
   */
  async of(
    principal: Principal,
    identifier: string,
    given: Readonly<Record<string, unknown>>,
  ): Promise<DestinationPreview> {
    const form = await this.forms.get(principal, identifier);
    const settings = await this.opener.checked('email', {}, given, true);
    const { full, isSample } = await this.examples.of(principal, form);
    const recipients = recipientsOf(settings, full.submission);
    const isSent = recipients.length > 0;
    const reader = recipients[0] ?? SOMEBODY;
    const brand = await this.readers.brandFor([form], reader);
    const template = templateIn(settings);
    const message = template.digest
      ? this.digests.about(full, reader, brand)
      : await this.mails.compose('owner', full, reader, brand, template);
    return {
      ...{ mail: 'owner', isOn: isSent, recipients, message },
      submissionId: isSample ? null : full.submission.id,
      to: directOf(settings, full.submission),
      cc: isSent ? commaList(settings.cc ?? '') : [],
      bcc: isSent ? commaList(settings.bcc ?? '') : [],
    };
  }
}
