import { Injectable } from '@nestjs/common';
import { FailingRecipients } from '../deliveries/bounces/bounces.service.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { ChecksForms, findIn, type Found, ChecksAccount } from './finding.js';
import { BrandsService } from '../clients/brands/brands.service.js';
import { FEW_FORMS, FormQueries } from '../forms/form-queries.service.js';
import { Mailer } from '../mail/mailer.js';
import { Config, byteSize, Clock, DAY_MS } from '../platform/index.js';
import { OriginsService } from '../search/origins/origins.service.js';
import { CaptchaTroubles } from '../spam/captcha/captcha-verifier.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { allowsOrigin } from '../spam/signals/origin.js';
import { CanaryService } from './canary/canary.service.js';
import { isOfService } from './canary/step.js';
import type { FormWatch } from './watch/form-watch.entity.js';
import { CONNECT_MS, type Sign } from './watch/signs.js';
import { momentOf } from './watch/rhythm.js';
import { WatchService } from './watch/watcher.js';

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
      return accountEmail.length === 0 ? [nobody(form, nowhere)] : [bouncing(accountEmail, reasons, form)];
    });
  }
}

function nobody({ webhookUrl }: Form, reason: string): Found | null {
  if (webhookUrl !== null) return null;
  const text = `Nobody is notified of submissions: ${reason}`;
  return { code: 'nobody_is_told', severity: 'shown', text, fix: '' };
}

function unconfirmed(owners: readonly string[], reachable: ReadonlySet<string>, { identifier }: Form): Found | null {
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
function bouncing(owners: readonly string[], reasons: ReadonlyMap<string, string>, { identifier }: Form): Found | null {
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

/** Part of MAX_ACCOUNT_FILES_BYTES from which on it is told. */
const NEARLY_FULL = 0.9;

/** Finds what no setting of a form mends. */
@Injectable()
export class AccountChecks {
  constructor(
    private readonly forms: FormQueries,
    private readonly brands: BrandsService,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /** Finds that emails are saved and not sent, once for all forms that send some. */
  @ChecksAccount()
  async mail(accountId: number): Promise<Found | null> {
    if (this.mailer.isConfigured) return null;
    const forms = await this.forms.firstInFull({ accountId, clientId: null }, FEW_FORMS);
    const mailing = forms.filter(
      ({ notifyOwnerOnSubmission, notifySubmitter }) => notifyOwnerOnSubmission || notifySubmitter,
    );
    // What is asked for together is read by one query.
    const brands = await Promise.all(mailing.map((form) => this.brands.ofForm(form)));
    if (brands.every(({ sender }) => sender?.server != null)) return null;
    return {
      code: 'mail_not_configured',
      severity: 'shown',
      text: 'Emails are saved to DATA_DIR/mail and not sent, because SMTP_URL is not set.',
      fix: 'Ask the operator to set it, for example to smtp://user:password@mail.example.com:587.',
    };
  }

  @ChecksAccount()
  async files(accountId: number): Promise<Found | null> {
    const max = this.config.intake.maxAccountFilesBytes;
    const bytes = max === 0 ? 0 : await this.forms.filesBytes(accountId);
    if (max === 0 || bytes < max * NEARLY_FULL) return null;
    return {
      code: 'files_nearly_full',
      severity: 'shown',
      text: `The files of this account use ${byteSize(bytes)} of the ${byteSize(max)} that MAX_ACCOUNT_FILES_BYTES allows.`,
      fix: 'Submissions with files that do not fit are refused; those without files are accepted. Erase submissions with files, or ask the operator to raise the limit.',
    };
  }
}

/** Age in milliseconds up to which refused origins count. */
const RECENT_MS = 7 * DAY_MS;

/** Finds forms whose settings against spam hold back what they should let through. */
@Injectable()
export class SpamChecks {
  constructor(
    private readonly origins: OriginsService,
    private readonly captchas: CaptchaTroubles,
    private readonly clock: Clock,
  ) {}

  @ChecksForms()
  async domains(all: readonly Form[]) {
    const forms = all.filter(({ whitelistedDomains }) => whitelistedDomains !== null);
    const from = new Date(this.clock.now().getTime() - RECENT_MS);
    const refused = await this.origins.refused(
      forms.map(({ id }) => id),
      from,
    );
    return findIn(forms, ({ id, identifier, whitelistedDomains }) => {
      const lately = refused.get(id) ?? [];
      const origins = lately.filter((origin) => !allowsOrigin(whitelistedDomains, origin));
      if (origins.length === 0) return [];
      const text = `Recent submissions went to spam because of the domain they came from: ${origins.join(', ')}.`;
      const fix = `If one of these domains is yours, allow it with POST /api/v1/forms/${identifier}/origins.`;
      return [{ code: 'origins_refused', severity: 'lasting', text, fix }];
    });
  }

  @ChecksForms()
  async captcha(all: readonly Form[]) {
    const forms = all.filter((form) => SpamSettings.of(form).captcha !== null);
    const troubles = await this.captchas.recentAmong(forms.map(({ id }) => id));
    return findIn(forms, (form) => {
      const trouble = troubles.get(form.id);
      if (trouble === undefined) return [];
      const provider = SpamSettings.of(form).captcha?.provider ?? '';
      const text = `${provider} rejects the captcha keys ("${trouble}"), so submissions are held.`;
      const fix = `Set site_key and secret again with PUT /api/v1/forms/${form.identifier}/spam.`;
      return [{ code: 'captcha_unverified', severity: 'lasting', text, fix }];
    });
  }
}

/** How long after it was made a form without submissions is told of, in milliseconds: later, nobody waits for any. */
const UNCONNECTED_MS = 30 * DAY_MS;

/** Finds what is unusual about forms, by how they are watched and by their canaries. */
@Injectable()
export class WatchChecks {
  constructor(
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly clock: Clock,
  ) {}

  @ChecksForms()
  async rhythm(forms: readonly Form[]) {
    const watches = await this.watches.among(forms.map(({ id }) => id));
    return findIn(forms, (form) => {
      const watch = watches.get(form.id);
      if (!watch || watch.state === 'off') return [];
      return [silence(watch), this.neverConnected(form, watch), ...watch.signs.map(signed)];
    });
  }

  /** Finds what canaries found at the pages, or why the forms refuse what they send. */
  @ChecksForms()
  async canary(forms: readonly Form[]) {
    const failures = await this.canaries.failuresOf(forms.map(({ id }) => id));
    return findIn(forms, ({ id }) => {
      const failure = failures.get(id);
      if (!failure || isOfService(failure.step)) return [];
      const { since, step, detail: text } = failure;
      const code = step === 'page' || step === 'form' ? 'page_broken' : 'canary_failing';
      return [{ code, severity: 'urgent', text, fix: '', since }];
    });
  }

  private neverConnected({ createdAt }: Form, { state }: FormWatch): Found | null {
    const age = this.clock.now().getTime() - createdAt.getTime();
    if (state !== 'never_connected' || age > UNCONNECTED_MS) return null;
    return {
      ...{ code: 'never_connected', severity: 'urgent', text: 'No submissions yet.' },
      fix: 'Set the action of a form on your page to its address, and submit a test.',
      since: new Date(createdAt.getTime() + CONNECT_MS),
    };
  }
}

function silence({ state, lastAt, silentFrom }: FormWatch): Found | null {
  if (state !== 'silent' || !lastAt || !silentFrom) return null;
  return {
    ...{ code: 'form_silent', severity: 'urgent', since: silentFrom },
    text: `No submissions since ${lastAt.toISOString()}, which is unusual for this form.`,
    fix: 'Open its page and submit a test.',
  };
}

function signed({ code, since, amount, of, error, field }: Sign): Found {
  const begin = momentOf(since);
  const from = begin.toISOString();
  const sentences: Record<Sign['code'], [string, string]> = {
    visitors_refused: [
      `The form refuses visitors since ${from}: ${amount} of ${of} submissions in the last day${refusal(error, field)}.`,
      'Compare its fields with those on its page.',
    ],
    verdicts_changed: [
      `Nearly all submissions since ${from} were filed as spam, ${amount} of ${of} in the last day.`,
      'Review them, and mark what is not spam.',
    ],
    spam_rising: [
      `Much more spam than usual since ${from}: ${amount} of ${of} submissions in the last day.`,
      'A captcha, proof of work or a blocklist stops it.',
    ],
  };
  const [text, fix] = sentences[code];
  return { code, severity: 'urgent', text, fix, since: begin };
}

/** Says what visitors got most. */
function refusal(error = '', field = '') {
  if (field !== '') {
    return error === 'required' ? ` ("${field}" is missing)` : ` (the rule for "${field}" refuses them)`;
  }
  return FAILED_CHECKS[error] === undefined ? '' : ` (${FAILED_CHECKS[error]})`;
}

const FAILED_CHECKS: Record<string, string | undefined> = {
  required: 'a field that a rule requires is missing',
  too_large: 'they are too large',
  empty: 'they have no fields',
  unreadable: 'they cannot be read',
  unknown_encoding: 'the form has an encoding that we do not know',
};
