import { Injectable } from '@nestjs/common';
import type { Scope } from '../accounts/access/index.js';
import { FailingRecipients } from '../deliveries/bounces/bounces.service.js';
import { BrandsService } from '../clients/brands/brands.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { ABOUT_SUBMISSIONS } from '../deliveries/model/delivery-filter.js';
import { DestinationOpener } from './destination-opener.js';
import { DestinationsService } from './destinations.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { SecretBox } from '../platform/index.js';
import { aForm, ChecksForms, findIn, type Finding, type Found } from '../health/finding.js';

type Kind = (typeof ABOUT_SUBMISSIONS)[number];

/** Settled deliveries in a row that must have failed, as visitors mistype their addresses, and what a sentence calls them. */
const LATEST: Readonly<Record<Kind, readonly [inARow: number, subject: string]>> = {
  webhook: [1, 'The latest webhook call failed'],
  destination: [1, 'The latest call of a destination failed'],
  owner_email: [1, 'The latest email to you failed'],
  submitter_email: [3, 'The latest 3 emails to visitors failed'],
  opt_in: [3, 'The latest 3 emails to visitors failed'],
};
/** Deliveries of the account alone are shown to no client, whichever it is. */
type ShownTo = Pick<Scope, 'clientId'>;
const SHOWN_TO_ALL: ShownTo = { clientId: null };
const SHOWN_TO_CLIENTS: ShownTo = { clientId: 0 };

/** Outcomes of attempts that say nothing about the receiver. */
const ENDED_BY_PEOPLE: readonly string[] = ['disabled', 'obsolete'];
/** Failed attempts of one delivery that are told: the second follows five seconds after the first. */
const TRIES_WORTH_A_WORD = 2;

/** Finds forms whose mails and calls do not arrive. */
@Injectable()
export class DeliveryChecks {
  constructor(
    private readonly deliveries: DeliveriesService,
    private readonly failing: FailingRecipients,
    private readonly destinations: DestinationsService,
    private readonly opener: DestinationOpener,
    private readonly brands: BrandsService,
    private readonly box: SecretBox,
  ) {}

  @ChecksForms()
  async webhooks(forms: readonly Form[]) {
    const called = forms.filter(({ webhookUrl }) => webhookUrl !== null);
    const paused = await this.destinations.webhooksPausedAmong(called.map(({ id }) => id));
    return findIn(called, ({ id }) => {
      const since = paused.get(id);
      if (since === undefined) return [];
      const text = `The webhook has been disabled since ${since.toISOString()}.`;
      const fix = 'Turn it on with PATCH …/webhook.';
      return [{ code: 'webhook_disabled', severity: 'shown', text, fix }];
    });
  }

  @ChecksForms()
  async failures(forms: readonly Form[]): Promise<Finding[]> {
    const open = await this.deliveries.openAmong(
      forms.map(({ id }) => id),
      ABOUT_SUBMISSIONS,
    );
    const asked = forms.flatMap((form) =>
      ABOUT_SUBMISSIONS.filter((kind) => open.get(form.id)?.includes(kind)).map(async (kind) => {
        // Of an account there are destinations alone.
        const isOfSeveral = kind === 'destination';
        const own = isOfSeveral ? await this.failure(form, kind, SHOWN_TO_CLIENTS) : null;
        const failed = own ?? (await this.failure(form, kind, SHOWN_TO_ALL));
        const ofAccount = isOfSeveral && own === null;
        const about = { code: `${kind}_failing`, severity: 'lasting', ofAccount } as const;
        return failed ? [{ subject: aForm(form.id), ...about, ...failed }] : [];
      }),
    );
    return (await Promise.all(asked)).flat();
  }

  /** Finds destinations and mail servers whose secrets no key opens. */
  @ChecksForms()
  async secrets(forms: readonly Form[]) {
    const destinations = await this.opener.unreadableOf(forms);
    // What is asked for together is read by one query.
    const servers = await Promise.all(forms.map((form) => this.closedServerOf(form)));
    const serverOf = new Map(forms.map(({ id }, at) => [id, servers[at] ?? []]));
    return findIn(forms, ({ id }) => {
      const closed = (destinations.get(id) ?? []).map(({ name }) => `the destination "${name}"`);
      const names = [...closed, ...(serverOf.get(id) ?? [])];
      if (names.length === 0) return [];
      const text = `The secrets of ${names.join(', ')} cannot be read, so what goes there waits.`;
      const fix = 'Ask the operator for the former SECRET_KEY, or set the secrets again.';
      const ofAccount = destinations.get(id)?.some(({ formId }) => formId === null);
      return [{ code: 'secret_unreadable', severity: 'lasting', text, fix, ofAccount }];
    });
  }

  private async closedServerOf(form: Form) {
    const server = await this.serverOf(form);
    const isClosed = server && (await this.box.standingOf(server.sealed)) === 'unreadable';
    return isClosed ? [`the mail server ${server.host}`] : [];
  }

  private async failure(form: Form, kind: Kind, to: ShownTo): Promise<Sentences | null> {
    return (await this.lastOnesFailed(form, kind, to)) ?? (await this.lastTry(form, kind, to));
  }

  private async lastOnesFailed(form: Form, kind: Kind, to: ShownTo): Promise<Sentences | null> {
    const [count, subject] = LATEST[kind];
    const last = await this.deliveries.lastSettled(to, form.id, kind, count);
    const failed = last.filter(({ delivery }) => delivery.state === 'failed');
    const [newest] = failed;
    if (!newest || failed.length < count) return null;
    // Somebody paused or deleted where it went.
    if (ENDED_BY_PEOPLE.includes(newest.attempts.at(-1)?.outcome ?? '')) return null;
    // Another finding says it.
    const failing = await this.failing.among(form.accountId, [newest.delivery.recipient]);
    if (kind === 'owner_email' && failing.length > 0) return null;
    const reason = newest.attempts.at(-1)?.answer ?? 'no reason given';
    return { text: `${subject}: ${reason}`, fix: '' };
  }

  /** Finds a pending delivery that failed twice or more, unless one was delivered since. */
  private async lastTry(form: Form, kind: Kind, to: ShownTo): Promise<Sentences | null> {
    const waiting = await this.deliveries.failingNow(to, form.id, kind, TRIES_WORTH_A_WORD);
    const last = waiting?.attempts.at(-1);
    if (!waiting || !last) return null;
    const { recipient, nextAttemptAt } = waiting.delivery;
    if (kind === 'webhook' && recipient !== form.webhookUrl) return null;
    const answer = last.answer ?? 'no reason given';
    const again = `The next attempt is at ${nextAttemptAt?.toISOString() ?? 'later'}.`;
    if (kind === 'destination') return { text: `Calls to ${recipient} fail: ${answer}. ${again}`, fix: '' };
    if (kind === 'webhook') return { text: `The webhook calls fail: ${answer}. ${again}`, fix: '' };
    const own = await this.serverOf(form);
    return {
      text: `Emails are not delivered. The mail server says: ${answer}. ${again}`,
      fix: own
        ? `It is ${own.host}, the server of the client itself: correct it under “Look and sender” of the client.`
        : 'Only the operator can change the mail server (SMTP_URL).',
    };
  }

  /** Returns the client's own mail server that mails about a form go through; null for ours. */
  private async serverOf(form: Form) {
    return (await this.brands.ofForm(form)).sender?.server ?? null;
  }
}

type Sentences = Pick<Found, 'text' | 'fix'>;
