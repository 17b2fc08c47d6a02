import { Injectable } from '@nestjs/common';
import { BrandsService } from '../brands/brands.service.js';
import { DestinationSecrets } from '../destinations/destination-channel.js';
import type { Form } from '../forms/model/form.entity.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import type { Scope } from '../access/principal.js';
import { FailingRecipients } from '../bounces/bounces.service.js';
import { DeliveriesService, DeliveryFates } from '../deliveries/deliveries.service.js';
import { ABOUT_SUBMISSIONS } from '../deliveries/model/delivery-filter.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { Mailer } from '../mail/mailer.js';
import { Config } from '../platform/config/config.js';
import { byteSize } from '../platform/kernel/byte-size.js';
import { Clock, DAY_MS } from '../platform/kernel/time.js';
import { RecipientsService } from '../deliveries/recipients/recipients.service.js';
import { CaptchaTroubles } from '../spam/captcha/captcha-verifier.js';
import { SpamSettings } from '../spam/judge/spam-settings.js';
import { DestinationsService } from '../destinations/destinations.service.js';
import {
  captchaIsUnverified,
  intakeIsClosed,
  nobodyIsTold,
  originsRefused,
  recipientBounces,
  recipientsUnconfirmed,
  secretsAreUnreadable,
  webhookIsDisabled,
  type Known,
  type Warning,
  vitalWarnings,
} from './warning.js';
import { OriginsService } from '../search/origins/origins.service.js';
import { CanaryService } from '../canary/canary.service.js';
import { WatchService } from '../watch/watcher.js';

/** Finds what forms send through whose secrets no key opens. */
@Injectable()
export class UnreadableSecrets {
  constructor(
    private readonly destinations: DestinationSecrets,
    private readonly brands: BrandsService,
    private readonly box: SecretBox,
  ) {}

  /** Names the destinations and the mail server of forms, which are of one account, by the form. */
  async of(forms: readonly Form[]): Promise<Map<number, string[]>> {
    const destinations = await this.destinations.unreadableOf(forms);
    const found = new Map<number, string[]>();
    // What is asked for together is read by one query.
    const brands = await Promise.all(forms.map((form) => this.brands.ofForm(form)));
    for (const [at, form] of forms.entries()) {
      const names = (destinations.get(form.id) ?? []).map((name) => `the destination "${name}"`);
      const server = brands[at]?.sender?.server;
      if (server && (await this.box.standingOf(server.sealed)) === 'unreadable')
        names.push(`the mail server ${server.host}`);
      if (names.length > 0) found.set(form.id, names);
    }
    return found;
  }
}

/** Settled deliveries in a row that must have failed for a warning: visitors mistype their addresses. */
const FAILED_IN_A_ROW: Readonly<Record<Kind, number>> = {
  webhook: 1,
  destination: 1,
  owner_email: 1,
  submitter_email: 3,
  opt_in: 3,
};
/** Outcomes of attempts that say nothing about the receiver. */
const ENDED_BY_PEOPLE: readonly string[] = ['disabled', 'obsolete'];
/** Failed attempts of one delivery that make a warning: the second follows five seconds after the first. */
const TRIES_WORTH_A_WORD = 2;
/** Age in milliseconds up to which refused origins make a warning. */
const RECENT_MS = 7 * DAY_MS;
/** Part of MAX_ACCOUNT_FILES_BYTES that makes a warning. */
const NEARLY_FULL = 0.9;
type Kind = (typeof ABOUT_SUBMISSIONS)[number];

/** A form with the reasons why it does not do what its owner expects. */
export interface WarnedForm {
  form: Form;
  warnings: Warning[];
}

/** Finds reasons why a form does not do what its owner expects. */
@Injectable()
export class WarningsService {
  constructor(
    private readonly lists: FormQueries,
    private readonly recipients: RecipientsService,
    private readonly failing: FailingRecipients,
    private readonly deliveries: DeliveriesService,
    private readonly fates: DeliveryFates,
    private readonly origins: OriginsService,
    private readonly destinations: DestinationsService,
    private readonly captchas: CaptchaTroubles,
    private readonly mailer: Mailer,
    private readonly brands: BrandsService,
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly secrets: UnreadableSecrets,
    private readonly config: Config,
    private readonly clock: Clock,
  ) {}

  /** @throws FormNotFound */
  async listFor(scope: Scope, identifier: string): Promise<Warning[]> {
    const form = await this.lists.get(scope, identifier);
    return this.listOf(scope, form, await this.know(scope, [form]));
  }

  /** Lists the warnings of the first forms of a scope, those without any too, by a few queries for all of them. */
  async listForFirst(scope: Scope, limit: number): Promise<WarnedForm[]> {
    return this.listForThese(scope, await this.lists.firstInFull(scope, limit));
  }

  /** Lists the warnings of these forms of the scope in the same way. */
  async listForThese(scope: Scope, forms: readonly Form[]): Promise<WarnedForm[]> {
    const known = await this.know(scope, forms);
    const found: WarnedForm[] = [];
    for (const form of forms) found.push({ form, warnings: await this.listOf(scope, form, known) });
    return found;
  }

  /** Looks up what the warnings of these forms, which are of one account, rest on. */
  private async know(scope: Scope, forms: readonly Form[]): Promise<Known> {
    const { accountId } = scope;
    const idsOf = (some: readonly Form[]) => some.map(({ id }) => id);
    const recipients = new Set(forms.flatMap(({ ownerRecipients }) => ownerRecipients));
    const unnamed = forms.find(({ notifyOwnerEmails }) => notifyOwnerEmails === null);
    const accountEmail = unnamed ? await this.recipients.of(unnamed) : [];
    const failing = await this.failing.among(accountId, [...recipients, ...accountEmail]);
    const called = forms.filter(({ webhookUrl }) => webhookUrl !== null);
    const limited = forms.filter(({ whitelistedDomains }) => whitelistedDomains !== null);
    const asking = forms.filter((form) => SpamSettings.of(form).captcha !== null);
    const from = new Date(this.clock.now().getTime() - RECENT_MS);
    return {
      reachable: new Set(await this.recipients.reachable(accountId, [...recipients])),
      failing: new Map(failing.map(({ email, reason }) => [email, reason])),
      accountEmail,
      disabled: await this.destinations.webhooksPausedAmong(idsOf(called)),
      open: await this.fates.openAmong(idsOf(forms), ABOUT_SUBMISSIONS),
      refused: await this.origins.refused(idsOf(limited), from),
      unverified: await this.captchas.recentAmong(idsOf(asking)),
      unreadable: await this.secrets.of(forms),
      canaries: await this.canaries.failuresOf(idsOf(forms)),
      watches: await this.watches.among(idsOf(forms)),
      full: await this.filesAreFull(scope),
    };
  }

  private async listOf(scope: Scope, form: Form, known: Known): Promise<Warning[]> {
    const found = [
      intakeIsClosed(form, this.clock.now()),
      ...vitalWarnings(form, known, this.clock.now()),
      nobodyIsTold(form, known),
      recipientsUnconfirmed(form, known),
      recipientBounces(form, known),
      await this.mailIsNotSent(form),
      webhookIsDisabled(form, known),
      ...(await this.deliveriesFail(scope, form, known)),
      originsRefused(form, known),
      captchaIsUnverified(form, known),
      secretsAreUnreadable(form, known),
      known.full,
    ];
    return found.filter((warning) => warning !== null);
  }

  private async mailIsNotSent(form: Form): Promise<Warning | null> {
    const mails = form.notifyOwnerOnSubmission || form.notifySubmitter === true;
    if (!mails || this.mailer.isConfigured || (await this.serverOf(form)) !== null) return null;
    return {
      code: 'mail_not_configured',
      message:
        'Emails are saved to DATA_DIR/mail and not sent, because SMTP_URL is not set. Ask the operator to set it, for example to smtp://user:password@mail.example.com:587.',
    };
  }

  private async deliveriesFail(
    scope: Scope,
    form: Form,
    known: Known,
  ): Promise<(Warning | null)[]> {
    const kinds = ABOUT_SUBMISSIONS.filter((kind) => known.open.get(form.id)?.includes(kind));
    return Promise.all(
      kinds.map(
        async (kind) =>
          (await this.lastOnesFailed(scope, form, kind, known)) ??
          (await this.lastTriesFail(scope, form, kind)),
      ),
    );
  }

  /** Finds a pending delivery that failed twice or more, unless one was delivered since. */
  private async lastTriesFail(scope: Scope, form: Form, kind: Kind): Promise<Warning | null> {
    const waiting = await this.deliveries.failingNow(scope, form.id, kind, TRIES_WORTH_A_WORD);
    const last = waiting?.attempts.at(-1);
    if (!waiting || !last) return null;
    if (kind === 'webhook' && waiting.delivery.recipient !== form.webhookUrl) return null;
    const answer = last.answer ?? 'no reason given';
    const own = kind.endsWith('_email') ? await this.serverOf(form) : null;
    const changes = own
      ? `It is ${own}, the server of the client itself: correct it under “Look and sender” of the client.`
      : 'Only the operator can change the mail server (SMTP_URL).';
    const again = waiting.delivery.nextAttemptAt?.toISOString() ?? 'later';
    return {
      code: `${kind}_failing`,
      message:
        kind === 'destination'
          ? `Calls to ${waiting.delivery.recipient} fail: ${answer}. The next attempt is at ${again}.`
          : kind === 'webhook'
            ? `The webhook calls fail: ${answer}. The next attempt is at ${again}.`
            : `Emails are not delivered. The mail server says: ${answer}. The next attempt is at ${again}. ${changes}`,
    };
  }

  /** Returns the host of the client's own mail server that mails about a form go through; null for ours. */
  private async serverOf(form: Form): Promise<string | null> {
    return (await this.brands.ofForm(form)).sender?.server?.host ?? null;
  }

  private async lastOnesFailed(
    scope: Scope,
    form: Form,
    kind: Kind,
    { failing }: Known,
  ): Promise<Warning | null> {
    const count = FAILED_IN_A_ROW[kind];
    const last = await this.deliveries.lastSettled(scope, form.id, kind, count);
    const failed = last.filter(({ delivery }) => delivery.state === 'failed');
    if (failed.length < count) return null;
    const recipient = failed[0]?.delivery.recipient.toLowerCase() ?? '';
    // Another warning says it.
    if (kind === 'owner_email' && failing.has(recipient)) return null;
    // Somebody paused or deleted where it went.
    if (ENDED_BY_PEOPLE.includes(failed[0]?.attempts.at(-1)?.outcome ?? '')) return null;
    const reason = failed[0]?.attempts.at(-1)?.answer ?? 'no reason given';
    return { code: `${kind}_failing`, message: `${given(kind, count)}: ${reason}` };
  }

  /** Says it of every form of the account, whether it got files before or not; a client learns no sum. */
  private async filesAreFull({ accountId, clientId }: Scope): Promise<Warning | null> {
    const max = this.config.intake.maxAccountFilesBytes;
    if (max === 0) return null;
    const bytes = await this.lists.filesBytes(accountId);
    if (bytes < max * NEARLY_FULL) return null;
    const sum = clientId === null ? ` ${byteSize(bytes)} of` : ' nearly all of';
    return {
      code: 'files_nearly_full',
      message: `The files of this account use${sum} the ${byteSize(max)} that MAX_ACCOUNT_FILES_BYTES allows. Submissions with files that do not fit are refused; those without files are accepted. Erase submissions with files, or ask the operator to raise the limit.`,
    };
  }
}

/** Names the newest deliveries of a kind, as the beginning of a sentence. */
function given(kind: Kind, count: number): string {
  if (kind === 'webhook') return 'The latest webhook call failed';
  if (kind === 'destination') return 'The latest call of a destination failed';
  if (kind === 'owner_email') return 'The latest email to you failed';
  return `The latest ${count} emails to visitors failed`;
}
