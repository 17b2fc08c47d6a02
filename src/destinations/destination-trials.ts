import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { Principal } from '../access/principal.js';
import { AuditService } from '../audit/audit.service.js';
import { PatternMatcher } from '../forms/model/field-pattern.js';
import type { Form } from '../forms/model/form.entity.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { SubmissionFinder } from '../search/finder/submission-finder.js';
import { InboxService } from '../search/inbox/inbox.service.js';
import { sampleSubmission } from '../submissions/model/sample-submission.js';
import { EVERYTHING } from '../submissions/filter/submission-filter.js';
import { FROM_NEWEST } from '../submissions/rows/submission-ids.js';
import { VerdictsService } from '../submissions/verdicts/verdicts.service.js';
import type { TestCall } from '../webhooks/webhook-test-calls.js';
import { DestinationOpener } from './destination-opener.js';
import { DestinationSamples } from './destination-samples.js';
import { DestinationsService } from './destinations.service.js';
import { goesOut, type Choice } from './model/condition.js';
import { recipientsOf } from './model/mail-recipients.js';
import type { Place } from './model/place.js';

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
