import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { EVERYTHING } from '../submissions/filter/submission-filter.js';
import { FailingRecipients } from '../bounces/bounces.service.js';
import { attemptResult, type AttemptResult } from '../deliveries/model/outcome.js';
import { CallTimeouts } from '../deliveries/queue/call-timeouts.js';
import { attemptMail, Mailer } from '../mail/mailer.js';
import { Readers } from '../mail/readers.js';
import { FormMails } from '../mail/messages/form-mails.js';
import { RecipientsService } from '../notifications/recipients.service.js';
import { formatUuid, makeUuid } from '../platform/kernel/uuid.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import type { TestCall } from '../webhooks/webhooks.service.js';
import { DestinationCaller, templateIn } from './destination-channel.js';
import { Destination } from './model/destination.entity.js';
import { goesOut, type Choice } from './model/condition.js';
import { recipientsIn, type Place, recipientsOf } from './model/kind-settings.js';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { DestinationOpener } from './destination-opener.js';
import { PatternMatcher } from '../forms/model/field-rules.js';
import { Clock } from '../platform/kernel/time.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { InboxService } from '../search/inbox/inbox.service.js';
import { sampleSubmission } from '../submissions/model/sample-submission.js';
import { FROM_NEWEST } from '../submissions/rows/submission-ids.js';
import { VerdictsService } from '../submissions/verdicts/verdicts.service.js';
import { DestinationsService, type Trial } from './destinations.service.js';

/** Sends samples to destinations, by a call or a mail. */
@Injectable()
export class DestinationSamples {
  constructor(
    private readonly caller: DestinationCaller,
    private readonly mails: FormMails,
    private readonly readers: Readers,
    private readonly mailer: Mailer,
    private readonly recipients: RecipientsService,
    private readonly failing: FailingRecipients,
    private readonly timeouts: CallTimeouts,
  ) {}

  /** Sends one now, and measures how long it takes. */
  async send(destination: Destination, full: SubmissionInFull): Promise<TestCall> {
    const begin = performance.now();
    const result = await this.timeouts.run((signal) =>
      destination.host === null
        ? this.mail(destination, full, signal)
        : this.caller.call(destination, full, `test_${randomBytes(16).toString('hex')}`, signal),
    );
    return { result, durationMs: Math.round(performance.now() - begin) };
  }

  /** Sends a mail to the first recipient that takes mails. */
  private async mail(
    { settings, accountId, isForAccount }: Destination,
    full: SubmissionInFull,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const [first] = await this.recipients.reachable(accountId, recipientsIn(settings));
    if (first === undefined) {
      await this.recipients.askAmong(full.form, recipientsIn(settings));
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
    const message = await this.mails.compose('owner', full, first, brand, templateIn(settings));
    return attemptMail(this.mailer, formatUuid(makeUuid()), message, signal);
  }
}

/** Submissions that conditions are tried against. */
const TRIED = 20;

/** Tries destinations out before anybody relies on them. */
@Injectable()
export class DestinationTrials {
  constructor(
    private readonly destinations: DestinationsService,
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
    { place: { accountId, clientId }, form }: { place: Place; form: Form | null },
    choice: Choice,
    { to = null, route_field = null, routes }: Readonly<Record<string, unknown>> = {},
  ): Promise<Trial> {
    const routing = routes
      ? await this.opener.checked('email', {}, { to, route_field, routes }, true)
      : null;
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

  /**
   * Sends a sample to a destination now; nothing of it is stored.
   * @param form null for one of no form of its own
   * @throws DestinationNotFound, NoFormToTest
   */
  async test(
    principal: Principal,
    place: Place,
    id: Buffer | null,
    form: Form | null,
  ): Promise<TestCall> {
    const { destination } = await this.destinations.show(place, id);
    const { kind, name } = destination;
    await this.audit.recordAloneBy(principal, {
      action: 'destination.tested',
      target: { kind: 'destination', id: formatUuid(destination.id), name },
      details: { kind },
    });
    const now = this.clock.now();
    const about = form ?? (await this.destinations.someForm(place));
    const submission = sampleSubmission(about.id, now, null);
    return this.samples.send(destination, { form: about, submission, files: [] });
  }
}
