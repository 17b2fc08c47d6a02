import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { EVERYTHING } from '../submissions/filter/submission-filter.js';
import { FailingRecipients } from '../deliveries/bounces/bounces.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { attemptMail, Mailer } from '../mail/mailer.js';
import { Readers } from '../mail/mail-channel.js';
import { FormMails } from '../mail/messages/form-mails.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import { formatUuid, makeUuid, commaList, Clock, RateLimits } from '../platform/index.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { BrandsService } from '../clients/brands/brands.service.js';
import type { Message } from '../mail/parts/message.js';
import { SubmissionPages } from '../search/pages/submission-pages.service.js';
import { DestinationCaller } from './destination-channel.js';
import { DestinationPlanner } from './destination-planner.js';
import { DigestMails, templateOf } from './destination-mails.js';
import { formSettings, directOf, recipientsIn, recipientsOf, type Place } from './model/kind-settings.js';
import { DestinationNotFound, NoFormToTest, WebhookNotSet } from './destination.errors.js';
import { kindOf, type KindName } from './kinds/kinds.js';
import { Destination } from './model/destination.entity.js';
import { goesOut, type Choice } from './model/condition.js';
import { type Principal, NotAllowedHere } from '../accounts/access/index.js';
import { AuditService } from '../accounts/audit/audit.service.js';
import { DestinationOpener, type OpenedDestination } from './destination-opener.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { PatternMatcher } from '../forms/model/field.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { InboxService } from '../search/inbox/inbox.service.js';
import { sampleSubmission } from '../submissions/model/sample-submission.js';
import { FROM_NEWEST } from '../submissions/rows/submission-ids.js';
import { VerdictsService } from '../submissions/verdicts/verdicts.service.js';
import { DestinationsService, type Home } from './destinations.service.js';
import { assertMayChange } from '../forms/access/may-change.js';
import { formTarget } from '../forms/model/form-changes.js';
import { AddressNotVerified } from '../people/person/person.errors.js';
import type { SignedIn } from '../people/sign-in/sign-in.service.js';

/** How a test ended, and how long it took in milliseconds. */
export interface TestCall {
  result: AttemptResult;
  durationMs: number;
}

/** Sends samples to destinations, by a call or a mail. */
@Injectable()
export class DestinationSamples {
  constructor(
    private readonly caller: DestinationCaller,
    private readonly mails: FormMails,
    private readonly readers: Readers,
    private readonly mailer: Mailer,
    private readonly recipients: RecipientsService,
    private readonly accounts: AccountsService,
    private readonly failing: FailingRecipients,
    private readonly timeouts: CallTimeouts,
  ) {}

  /** Sends one now, and measures how long it takes. */
  async send(destination: Destination, full: SubmissionInFull): Promise<TestCall> {
    const begin = performance.now();
    const result = await this.timeouts.run((signal) =>
      kindOf(destination.kind).mail
        ? this.mail(destination, full, signal)
        : this.caller.call(destination, full, `test_${randomBytes(16).toString('hex')}`, signal),
    );
    return { result, durationMs: Math.round(performance.now() - begin) };
  }

  /** Sends a mail to the first recipient that takes mails; that to visitors goes to the address of the account. */
  private async mail(destination: Destination, full: SubmissionInFull, signal: AbortSignal) {
    const { kind, settings, accountId, isForAccount } = destination;
    const { mail = 'owner' } = kindOf(kind);
    const named = recipientsIn(settings);
    const own = named.length === 0 ? await this.accounts.emailOf(accountId) : null;
    const [first] = own === null ? await this.recipients.reachable(accountId, named) : [own];
    if (first === undefined) {
      await this.recipients.askAmong(full.form, named);
      return attemptResult(
        'refused',
        'suppressed',
        'None of the recipients has confirmed yet. We have asked them by email.',
      );
    }
    if ((await this.failing.among(accountId, [first])).length > 0) {
      return attemptResult('refused', 'bounced_before', `Emails to ${first} come back.`);
    }
    const brand = await this.readers.brandFor([full.form], first, isForAccount);
    const message = await this.mails.compose(mail, full, first, brand, templateOf(destination));
    return attemptMail(this.mailer, formatUuid(makeUuid()), message, signal);
  }
}

const EMAIL = { kind: 'email', role: null } as const;

/** Submissions that conditions are tried against. */
const TRIED = 20;

/** How conditions did with the last submissions. */
export interface Trial {
  tried: number;
  /** The ids of those that would have gone there, newest first. */
  taken: Buffer[];
}

/** Tries destinations out before anybody relies on them. */
@Injectable()
export class DestinationTrials {
  constructor(
    private readonly forms: FormQueries,
    private readonly opener: DestinationOpener,
    private readonly samples: DestinationSamples,
    private readonly finder: SubmissionFinder,
    private readonly inbox: InboxService,
    private readonly verdicts: VerdictsService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Says which of the last submissions would have gone to a destination with these conditions.
   * @param where its place, with its form unless it is of all forms
   * @param settings of a mail, where who gets it depends on a field
   * @throws SearchUnderWay, SearchesBusy, InvalidFields
   */
  async tryOut(
    principal: Principal,
    { place: { accountId, clientId }, form }: Home,
    choice: Choice,
    { to = null, route_field = null, routes }: Readonly<Record<string, unknown>> = {},
  ): Promise<Trial> {
    const routing = routes ? await this.opener.checked(EMAIL, {}, { to, route_field, routes }, true) : null;
    const selection = {
      scope: form ? principal : { accountId, clientId },
      forms: form && [form],
      filter: { ...EVERYTHING, spam: null, trash: false },
    };
    const window = { order: 'DESC', bound: FROM_NEWEST, limit: TRIED } as const;
    const { ids } = await this.finder.findFor(principal, selection, window);
    const taken: Buffer[] = [];
    for await (const portion of this.inbox.read(selection, ids)) {
      for (const { submission, files } of portion) {
        const { values, referer, language } = submission;
        const { band } = await this.verdicts.of(submission);
        const hasFiles = files.length > 0;
        const facts = { values, referer, language, hasFiles, matcher: new PatternMatcher() };
        await setImmediate();
        if (goesOut(choice, facts, band) === 'never') continue;
        if (!routing || recipientsOf(routing, facts).length > 0) taken.push(submission.id);
      }
    }
    return { tried: ids.length, taken };
  }

  /** Returns the body that a test of a destination sends, as text. @throws NoFormToTest */
  async sampleOf({ destination, settings }: OpenedDestination) {
    const now = this.clock.now();
    const full = await this.sample(destination, now);
    const extras = { id: '', now, fileLinks: [], page: '' };
    return kindOf(destination.kind).request?.(full, settings, extras).body ?? '';
  }

  /**
   * Sends a sample to a destination now; nothing of it is stored.
   * @throws NoFormToTest, WebhookNotSet
   */
  async test(principal: Principal, destination: Destination): Promise<TestCall> {
    const { kind, role, target } = destination;
    if (role === 'webhook' && destination.isOff) throw new WebhookNotSet();
    await this.audit.recordAloneBy(principal, { action: 'destination.tested', target, details: { kind } });
    return this.samples.send(destination, await this.sample(destination, this.clock.now()));
  }

  /** Returns a sample of a form, or of the first of all forms. */
  private async sample(place: Place, now: Date): Promise<SubmissionInFull> {
    const id = place.formId ?? (await this.forms.firstForm(place));
    const form = id && (await this.forms.find(id));
    if (!form) throw new NoFormToTest();
    return { form, submission: sampleSubmission(form.id, now, null), files: [] };
  }
}

/** Named as the recipient of a mail that would go to nobody. */
const SOMEBODY = 'somebody@example.com';

/** A mail to look at: of a destination of the form, or of one to be, with these settings in place of its own. */
export interface Previewed {
  /** Null for an email to be. */
  id: Buffer | null;
  settings: Readonly<Record<string, unknown>>;
}

/** A mail of a destination as it would be sent now. */
export interface DestinationPreview {
  kind: KindName;
  /** Whether it is sent at all. */
  isOn: boolean;
  recipients: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  message: Message;
  /** The submission that it is about; null when that is a sample. */
  submissionId: Buffer | null;
}

/** Shows the mails of destinations before anybody gets them. */
@Injectable()
export class DestinationPreviews {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly planner: DestinationPlanner,
    private readonly examples: SubmissionPages,
    private readonly opener: DestinationOpener,
    private readonly mails: FormMails,
    private readonly digests: DigestMails,
    private readonly readers: Readers,
    private readonly brands: BrandsService,
  ) {}

  /**
   * Writes the mail about the newest submission of a form, or about a sample where there is none to be seen; with a digest
   * the one that tells of it alone.
   * @param reader in place of the first of those who would get it
   * @throws FormNotFound, DestinationNotFound, also for one that sends no mails, InvalidFields, TooManyRecipients
   */
  async of(
    principal: Principal,
    identifier: string,
    { id, settings: given }: Previewed,
    reader?: string,
  ): Promise<DestinationPreview> {
    const home = await this.destinations.homeOf(principal, identifier);
    const opened = id && (await this.destinations.show(home.place, id));
    const { role, kind } = opened?.destination ?? EMAIL;
    const { mail } = kindOf(kind);
    if (!mail) throw new DestinationNotFound();
    const settings = await this.opener.checked({ kind, role }, opened?.settings ?? {}, given, !opened);
    const form = role ? home.form.with(formSettings(role, settings)) : home.form;
    const { full, isSample } = await this.examples.of(principal, form);
    const planned = await this.planner.deliveriesOf(
      { role, kind, host: null, settings },
      form,
      full.submission,
      full.submission,
    );
    const recipients = planned.map(({ recipient }) => recipient);
    const to = reader ?? recipients[0] ?? SOMEBODY;
    const brand = await (mail === 'visitor' ? this.brands.ofForm(form) : this.readers.brandFor([form], to));
    const template = templateOf({ role, settings });
    const isSent = recipients.length > 0;
    return {
      ...{ kind, isOn: isSent && opened?.destination.isPaused !== true, recipients },
      message: template?.digest
        ? this.digests.about(full, to, brand)
        : await this.mails.compose(mail, full, to, brand, template),
      submissionId: isSample ? null : full.submission.id,
      to: mail === 'visitor' ? recipients : directOf(settings, full.submission),
      cc: isSent ? commaList(settings.cc ?? '') : [],
      bcc: isSent ? commaList(settings.bcc ?? '') : [],
    };
  }
}

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
  async send({ person, principal }: SignedIn, { identifier, ...previewed }: TestMail): Promise<AttemptResult> {
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
    return this.timeouts.run((signal) => attemptMail(this.mailer, formatUuid(makeUuid()), marked, signal));
  }
}
