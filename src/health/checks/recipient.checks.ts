import { Injectable } from '@nestjs/common';
import { FailingRecipients } from '../../deliveries/bounces/bounces.service.js';
import { RecipientsService } from '../../mail/recipients/recipients.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { ChecksForms, findIn, type Found } from '../finding.js';

/** Finds forms whose submissions nobody hears of. */
@Injectable()
export class RecipientChecks {
  constructor(
    private readonly recipients: RecipientsService,
    private readonly failing: FailingRecipients,
  ) {}

  @ChecksForms()
  async check(forms: readonly Form[]) {
    const accountId = forms[0]?.accountId ?? 0;
    const named = [...new Set(forms.flatMap(({ ownerRecipients }) => ownerRecipients))];
    const unnamed = forms.find(({ notifyOwnerEmails }) => notifyOwnerEmails === null);
    const accountEmail = unnamed ? await this.recipients.of(unnamed) : [];
    const reachable = new Set(await this.recipients.reachable(accountId, named));
    const failing = await this.failing.among(accountId, [...named, ...accountEmail]);
    const reasons = new Map(failing.map(({ email, reason }) => [email, reason]));
    return findIn(forms, (form) => {
      if (!form.notifyOwnerOnSubmission)
        return [nobody(form, 'notify_owner_on_submission is false, and webhook_url is not set.')];
      if (form.notifyOwnerEmails !== null) {
        const owners = form.ownerRecipients;
        return [unconfirmed(owners, reachable, form), bouncing(owners, reasons, form)];
      }
      const nowhere = 'neither notify_owner_emails nor the email of the account is set.';
      return accountEmail.length === 0
        ? [nobody(form, nowhere)]
        : [bouncing(accountEmail, reasons, form)];
    });
  }
}

function nobody({ webhookUrl }: Form, reason: string): Found | null {
  if (webhookUrl !== null) return null;
  const text = `Nobody is notified of submissions: ${reason}`;
  return { code: 'nobody_is_told', severity: 'shown', text, fix: '' };
}

function unconfirmed(
  owners: readonly string[],
  reachable: ReadonlySet<string>,
  { identifier }: Form,
): Found | null {
  const open = owners.filter((email) => !reachable.has(email));
  if (open.length === 0) return null;
  return {
    code: 'recipients_unconfirmed',
    severity: 'shown',
    text: `${open.join(', ')} must confirm before we send emails about submissions there.`,
    fix: `Each address got an email with a link. POST /api/v1/forms/${identifier}/recipients/ask sends it again, up to once a day.`,
  };
}

/** @param reasons words of the receiver for addresses that take no mails, by the address in lower case */
function bouncing(
  owners: readonly string[],
  reasons: ReadonlyMap<string, string>,
  { identifier }: Form,
): Found | null {
  const found = owners.filter((email) => reasons.has(email.toLowerCase()));
  if (found.length === 0) return null;
  const named = found.map((email) => `${email} (${reasons.get(email.toLowerCase()) ?? ''})`);
  return {
    code: 'recipient_bounces',
    severity: 'urgent',
    text: `Emails to ${named.join(', ')} came back, so we send none there.`,
    fix: `Fix the address, or send emails there again with POST /api/v1/forms/${identifier}/recipients/failing/try.`,
  };
}
