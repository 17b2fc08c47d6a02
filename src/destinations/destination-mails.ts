import { Injectable } from '@nestjs/common';
import { BrandsService, type Brand } from '../clients/brands/brands.service.js';
import { type DigestEvery, hourOf } from '../deliveries/digests/digest-hour.js';
import { DigestsService } from '../deliveries/digests/digests.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import { attemptResult, destinationPaused, type AttemptResult } from '../deliveries/model/outcome.js';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { PauseNotice } from '../health/alarms.service.js';
import { noticeMail } from '../mail/messages/person-mails.js';
import { MailOf, Readers } from '../mail/mail-channel.js';
import { MailCaps } from '../mail/mailer.js';
import { FormMails } from '../mail/messages/form-mails.js';
import {
  type OwnerTemplate,
  destinationDigestMail,
  digestMail,
  digestRow,
  type DigestRow,
} from '../mail/messages/owner-mail.js';
import { type Message, type SentBy, sendAs, sentBy } from '../mail/parts/message.js';
import { commaList, MINUTE_MS, Config } from '../platform/index.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions/submissions.service.js';
import { DestinationsRepository } from './destinations.repository.js';
import type { KindSettings } from './kinds/kind.js';
import { type Role, directOf, recipientsIn } from './model/kind-settings.js';

/** How long a mail waits when its digest takes no more, in milliseconds. */
const GATHER_AGAIN_MS = 3 * MINUTE_MS;

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
    const brand = await this.readers.brandFor(forms, recipient, isOfAccount);
    const formName = forms.length === 1 ? forms[0].name : null;
    const content = { id, formName, count, hour: hourOf(createdAt), first };
    return this.write(destinationId ? destinationDigestMail : digestMail, content, recipient, brand);
  }

  /** Writes the digest of a destination that tells of one submission alone. */
  about({ form, submission }: SubmissionInFull, to: string, brand: Readonly<Brand>): Message {
    const { id, createdAt } = submission;
    const first = [digestRow(form, submission)];
    const content = { id, formName: form.name, count: '1', hour: hourOf(createdAt), first };
    return this.write(destinationDigestMail, content, to, brand);
  }

  private write(
    write: typeof digestMail,
    content: Omit<Parameters<typeof digestMail>[0], 'accountName'>,
    to: string,
    brand: Readonly<Brand>,
  ) {
    const by = sentBy(brand, this.config);
    const { name: accountName, baseUrl, from } = by;
    return sendAs(by, write({ ...content, accountName }, baseUrl, from, to));
  }

  /** Returns the forms that deliveries are of; null when there are none any more. */
  private async formsOf(covered: readonly Delivery[]): Promise<[Form, ...Form[]] | null> {
    const ids = [...new Set(covered.map(({ formId }) => formId))];
    const found = await Promise.all(ids.map((id) => this.forms.find(id)));
    const [first, ...others] = found.filter((form) => form !== null);
    return first ? [first, ...others] : null;
  }
}

/** Writes the mails of destinations. */
@Injectable()
export class DestinationMails {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly forms: FormQueries,
    private readonly submissions: SubmissionsService,
    private readonly mails: FormMails,
    private readonly digestMails: DigestMails,
    private readonly digests: DigestsService,
    private readonly caps: MailCaps,
    private readonly brands: BrandsService,
    private readonly readers: Readers,
  ) {}

  @MailOf(['submitter_email'])
  async toVisitor({ formId, submissionId, recipient }: Delivery): Promise<Message | null> {
    const form = await this.forms.find(formId);
    const full = form && submissionId && (await this.submissions.findInFull(form, submissionId));
    if (!full) return null;
    return this.mails.compose('visitor', full, recipient, await this.brands.ofForm(form));
  }

  /** Writes the mail about a submission, unless a digest tells of it. */
  @MailOf(['owner_email'])
  async toOwner(delivery: Delivery): Promise<Message | AttemptResult | null> {
    const { formId, submissionId, recipient, destinationId } = delivery;
    const form = await this.forms.find(formId);
    if (!form) return destinationId ? gone() : null;
    const destination = await this.wanting(form, delivery);
    if ('verdict' in destination) return destination;
    const template = templateOf(destination);
    if (template) {
      const { digest } = template;
      const gathered = await this.digests.gatherFor(digest, delivery, destination.id);
      if (gathered !== 'over') return ofGathering(gathered === 'gathered', digest ?? 'hour');
    }
    if (await this.caps.defersToDigest(delivery)) {
      return ofGathering(await this.digests.gather(form.accountId, delivery), 'hour');
    }
    const full = submissionId && (await this.submissions.findInFull(form, submissionId));
    if (!full) return null;
    const brand = await this.readers.brandFor([form], recipient, destination.isForAccount);
    return this.mails.compose('owner', full, recipient, brand, template);
  }

  @MailOf(['owner_digest'])
  async digest(delivery: Delivery): Promise<Message | AttemptResult> {
    const { formId, destinationId, ofAccount } = delivery;
    const form = await this.forms.find(formId);
    // What is left of a form that is deleted goes soon; a digest that tells of others too passes to one of them.
    if (!form && destinationId) return attemptResult('deferred', 'gone', 'Its form is being deleted.');
    const of = form && destinationId ? await this.wanting(form, delivery) : null;
    if (of && 'verdict' in of) return of;
    const message = await this.digestMails.compose(delivery, of?.isForAccount ?? ofAccount);
    return message ?? attemptResult('delivered', 'summarised', 'There is nothing left to tell.');
  }

  @PauseNotice()
  async paused(form: Form, { destinationId, recipient }: Delivery, by: SentBy): Promise<Message> {
    const found = destinationId && (await this.destinations.findIn(form.accountId, destinationId));
    return noticeMail(form, found && !found.role ? found.name : null, by, recipient);
  }

  /** Returns the destination that causes a mail to an owner, or how its attempt ends without one. */
  private async wanting(form: Form, { destinationId, recipient }: Delivery) {
    if (!destinationId) return this.destinations.findFirst(form, 'team');
    const destination = await this.destinations.findIn(form.accountId, destinationId);
    if (destination?.role) return destination;
    const key = recipient.toLowerCase();
    const isNamed = destination && recipientsIn(destination.settings).some((email) => email.toLowerCase() === key);
    if (!isNamed) return gone();
    return destination.isPaused ? destinationPaused() : destination;
  }
}

function gone() {
  const answer = 'The destination is gone, or names this address no more.';
  return attemptResult('refused', 'obsolete', answer);
}

/** Returns how an attempt ends of which a digest tells. */
function ofGathering(isGathered: boolean, every: DigestEvery) {
  if (isGathered) {
    const answer = `Included in the next ${every === 'hour' ? 'hourly' : 'daily'} summary.`;
    return attemptResult('delivered', 'summarised', answer);
  }
  const answer = `The digest of its ${every} is about to leave; the next one will have it.`;
  return { ...attemptResult('deferred', 'summarised', answer), retryAfterMs: GATHER_AGAIN_MS };
}

/** Returns how a destination wants its mail; null for the team of a form that asks for nothing of its own. */
export function templateOf({ role, settings }: { role: Role | null; settings: KindSettings }) {
  if (role && Object.keys(settings).every((name) => name === 'to')) return null;
  const { cc, reply_to, subject, body, files, digest } = settings;
  return {
    toAbout: (values) => directOf(settings, { values }),
    cc: commaList(cc ?? ''),
    replyToField: reply_to ?? null,
    subject: subject ?? null,
    body: body ?? null,
    digest: digest === 'hourly' ? 'hour' : digest === 'daily' ? 'day' : null,
    attaches: files === 'attached',
  } satisfies OwnerTemplate;
}

/** Most submissions that a digest lists, and that it counts. */
const LISTED = 25;
const COUNT_MAX = 1_000;
