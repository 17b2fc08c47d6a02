import { Injectable } from '@nestjs/common';
import { NotAllowedHere } from '../accounts/access/principal.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import type { AttemptResult } from '../deliveries/model/outcome.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { assertMayChange } from '../forms/access/may-change.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { formTarget } from '../forms/model/form-changes.js';
import { attemptMail, Mailer } from '../mail/mailer.js';
import { AddressNotVerified } from '../people/person/person.errors.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import { RateLimits } from '../platform/rate-limits/rate-limits.js';
import { DestinationPreviews, type Previewed } from './destination-trials.js';

/** Begins the subject of a test, so that nobody takes it for a submission. */
const MARK = 'Test: ';

/** Which mail of which form a person wants to see in their own inbox. */
export interface TestMail extends Previewed {
  identifier: string;
}

/** Sends people the mails of their forms, to their own address alone. */
@Injectable()
export class TestMailsService {
  constructor(
    private readonly forms: FormQueries,
    private readonly previews: DestinationPreviews,
    private readonly mailer: Mailer,
    private readonly timeouts: CallTimeouts,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
  ) {}

  /**
   * Sends a mail now, as it would be sent for the newest submission; nothing of it is stored.
   * @returns how that ended, with what the mail server answered
   * @throws NotAllowedHere without the right to change the form
   * @throws FormNotFound, FormNotOwn, TooManyRecipients, AddressNotVerified, RateLimited
   */
  async send(
    { person, principal }: SignedIn,
    { identifier, ...previewed }: TestMail,
  ): Promise<AttemptResult> {
    if (!principal?.has('forms:write')) throw new NotAllowedHere();
    const form = await this.forms.get(principal, identifier);
    assertMayChange(principal, form);
    const target = formTarget(form);
    if (person.verifiedAt === null) throw new AddressNotVerified(person.email);
    const { email } = person;
    const { message, kind } = await this.previews.of(principal, identifier, previewed, email);
    this.limits.admit('test-mail', person.id);
    await this.audit.recordAloneBy(principal, { action: 'mail.tested', target, details: { kind } });
    const marked = { ...message, subject: `${MARK}${message.subject}` };
    return this.timeouts.run((signal) =>
      attemptMail(this.mailer, formatUuid(makeUuid()), marked, signal),
    );
  }
}
