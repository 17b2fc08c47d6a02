import { Injectable } from '@nestjs/common';
import { AccountsService } from '../accounts/accounts.service.js';
import { BrandsService } from '../clients/brands/brands.service.js';
import { DeliveriesService, NamesOfDestinations } from '../deliveries/deliveries.service.js';
import type { Delivery } from '../deliveries/model/delivery.entity.js';
import {
  attemptResult,
  destinationPaused,
  isOurFault,
  secretUnreadable,
  type AttemptResult,
} from '../deliveries/model/outcome.js';
import { Channel, type DeliveryChannel } from '../deliveries/queue/delivery-worker.js';
import { RecipientsService } from '../mail/recipients/recipients.service.js';
import { FilesService } from '../submissions/files/files.service.js';
import { FormQueries } from '../forms/form-queries.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { runStatements, UnitOfWork } from '../platform/database/index.js';
import { TemplateFailed, Clock, formatUuid, SecretUnreadable, GuardedHttpClient } from '../platform/index.js';
import { SubmissionsService, type SubmissionInFull } from '../submissions/submissions.service.js';
import { DestinationOpener } from './destination-opener.js';
import { DestinationsRepository } from './destinations.repository.js';
import { makeCall } from './kinds/calls.js';
import type { KindSettings } from './kinds/kind.js';
import { kindOf } from './kinds/kinds.js';
import type { Destination } from './model/destination.entity.js';
import { HIDDEN, secretsIn } from './model/kind-settings.js';

/** Parts of a secret address from this length on are secret by themselves, in characters. */
const PART_MIN = 16;

/** Calls destinations about submissions. */
@Injectable()
export class DestinationCaller {
  constructor(
    private readonly opener: DestinationOpener,
    private readonly http: GuardedHttpClient,
    private readonly files: FilesService,
    private readonly brands: BrandsService,
    private readonly clock: Clock,
    private readonly destinations: DestinationsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Makes one call.
   * @param id names the delivery, the same on every attempt
   * @param url in place of that of its settings
   */
  async call(
    destination: Destination,
    full: SubmissionInFull,
    id: string,
    signal: AbortSignal,
    url?: string,
  ): Promise<AttemptResult> {
    const kind = kindOf(destination.kind);
    const { settings: opened, isReadable } = await this.opener.open(destination);
    const settings = url === undefined ? opened : { ...opened, url };
    if (!isReadable) return secretUnreadable(new SecretUnreadable().message);
    const now = this.clock.now();
    const { form, submission } = full;
    // What the account set up is read by its people, who sign in at its own address.
    const clientId = destination.clientId ?? form.madeByClientId;
    const { baseUrl } = destination.role
      ? await this.brands.ofForm(form)
      : await this.brands.ofCached({ accountId: form.accountId, clientId });
    const fileLinks = await this.files.links(full.files, now, baseUrl);
    const page = `${baseUrl}/inbox/${form.identifier}/${formatUuid(submission.id)}`;
    const { request } = kind;
    if (!request) return attemptResult('refused', 'obsolete', 'It sends mails.');
    const make = async (used: KindSettings) => {
      try {
        const made = request(full, used, { id, now, fileLinks, page });
        return await makeCall(this.http, made, now, signal);
      } catch (error) {
        if (!(error instanceof TemplateFailed)) throw error;
        return attemptResult('refused', 'not_possible', `The template fails: ${error.message}`);
      }
    };
    const read = (made: AttemptResult) => (made.code === null || !kind.read ? made : kind.read(made));
    const made = await make(settings);
    const moved = kind.moved?.(made) ?? null;
    if (moved) await this.follow(destination, moved);
    const ended = moved ? saying(moved, read(await make({ ...settings, ...moved }))) : read(made);
    return { ...ended, answer: ended.answer && hidden(ended.answer, secretsIn(destination.kind, settings)) };
  }

  /** Stores settings that are not secret, unless somebody has changed them meanwhile. */
  async follow({ accountId, id, settings: before }: Destination, moved: KindSettings) {
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      const destination = await destinations.getForUpdate(accountId, id);
      const isSame = Object.keys(moved).every((name) => destination?.settings[name] === before[name]);
      if (!destination || !isSame) return;
      destination.settings = { ...destination.settings, ...(moved as Record<string, string>) };
      await destinations.save(destination);
    });
  }
}

/** Says in an answer where its place has moved. */
function saying(moved: Record<string, string>, ended: AttemptResult): AttemptResult {
  const places = Object.entries(moved).map(([name, value]) => `${name} ${value}`);
  const note = `Moved to ${places.join(', ')}, which is stored now.`;
  return { ...ended, answer: [note, ended.answer ?? ''].join('\n').trim() };
}

/** Takes secrets out of an answer that repeats them, as they are, in a URL or in JSON. */
function hidden(answer: string, secrets: readonly string[]) {
  const spellings = secrets.flatMap((secret) => {
    const path = /^https?:\/\/[^/]+\/(.+)$/i.exec(secret)?.[1] ?? '';
    const parts = path.split(/[/?#&=]/).filter(({ length }) => length >= PART_MIN);
    return [secret, ...(path === '' ? [] : [path, ...parts])].flatMap((text) => [
      ...[text, encodeURI(text), encodeURIComponent(text), JSON.stringify(text).slice(1, -1)],
      text.replaceAll('&', '&amp;'),
    ]);
  });
  return spellings
    .sort((one, other) => other.length - one.length)
    .reduce((text, spelling) => text.replaceAll(spelling, HIDDEN), answer);
}

/** Outcomes of attempts that ended before anybody was called. */
const NOT_CALLED: readonly string[] = ['disabled', 'obsolete'];

/** Sends the deliveries that are calls: of the webhooks of forms, and of other destinations. */
@Injectable()
@Channel(['webhook', 'destination'])
export class DestinationChannel implements DeliveryChannel {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly caller: DestinationCaller,
    private readonly submissions: SubmissionsService,
    private readonly forms: FormQueries,
    private readonly deliveries: DeliveriesService,
    private readonly owners: RecipientsService,
    private readonly accounts: AccountsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async send(delivery: Delivery, signal: AbortSignal): Promise<AttemptResult> {
    const { id, formId, submissionId, kind, recipient } = delivery;
    const form = await this.forms.find(formId);
    const full = form && submissionId && (await this.submissions.findInFull(form, submissionId));
    if (!full) return attemptResult('refused', 'obsolete', 'The submission or its form is gone.');
    const destination = await this.find(form, delivery);
    if (!destination) return attemptResult('refused', 'obsolete', 'The destination is gone.');
    if (destination.isPaused) return destinationPaused();
    // A call of a webhook goes to where it went when it was planned.
    const url = kind === 'webhook' ? recipient : undefined;
    return this.caller.call(destination, full, `msg_${id.toString('hex')}`, signal, url);
  }

  /** Records how a call ended. When that pauses the destination, the owners of its form get a notice, once; of one of all forms, the account. */
  async onSettled(delivery: Delivery, ended: AttemptResult, now: Date) {
    if (NOT_CALLED.includes(ended.outcome) || isOurFault(ended)) return;
    const { formId, kind, recipient } = delivery;
    const form = await this.forms.find(formId);
    // A call of an earlier webhook_url says nothing of this one.
    if (!form || (kind === 'webhook' && recipient !== form.webhookUrl)) return;
    const destination = await this.find(form, delivery);
    const succeeded = ended.verdict === 'delivered';
    if (!destination || (succeeded && destination.failingSince === null)) return;
    const { id } = destination;
    const pauses = destination.note(succeeded, now);
    const emails = pauses ? await this.toldOf(destination, form) : [];
    const planned = emails.map((recipient) => ({ kind: 'owner_notice', recipient, destinationId: id }) as const);
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      if (succeeded) return destinations.recover(id);
      if (!(await destinations.fail(destination, pauses))) return;
      await runStatements(tx, this.deliveries.outboxInserts([{ formId, submissionId: null, planned }]));
    });
    this.deliveries.wakeWorker();
  }

  /** Returns who hears that a destination was paused. */
  private async toldOf({ formId }: Destination, form: Form) {
    if (formId !== null) return this.owners.of(form);
    const email = await this.accounts.emailOf(form.accountId);
    return email === null ? [] : [email];
  }

  /** Returns the destination of a call: the webhook of its form, unless it names another. */
  private find(form: Form, { destinationId }: Delivery) {
    return destinationId
      ? this.destinations.findIn(form.accountId, destinationId)
      : this.destinations.findFirst(form, 'webhook');
  }

  @NamesOfDestinations()
  namesOf(ids: readonly Buffer[]): Promise<Map<string, string>> {
    return this.destinations.namesOf(ids);
  }
}
