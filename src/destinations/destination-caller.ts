import { Injectable } from '@nestjs/common';
import {
  attemptResult,
  secretUnreadable,
  type AttemptResult,
} from '../deliveries/model/attempt-result.js';
import { BrandsService } from '../brands/brands.service.js';
import { FilesService } from '../files/files.service.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { SecretUnreadable } from '../platform/secrets/secret-box.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { Calls } from '../webhooks/calls.js';
import { DestinationOpener } from './destination-opener.js';
import type { KindSettings } from './kinds/kind.js';
import { kindOf } from './kinds/kinds.js';
import type { Destination } from './model/destination.entity.js';
import { HIDDEN, secretsIn } from './model/kind-settings.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { DestinationsRepository } from './destinations.repository.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { DeliveriesService } from '../deliveries/deliveries.service.js';
import { FormsService } from '../forms/forms.service.js';
import { FormOwners } from '../notifications/form-owners.js';
import { runStatements } from '../platform/database/statement.js';

/** Keeps where a destination has moved, as its service says. */
@Injectable()
export class DestinationMoves {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Stores settings that are not secret, unless somebody has changed them meanwhile. */
  async follow({ accountId, id, settings: before }: Destination, moved: KindSettings) {
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      const destination = await destinations.getForUpdate(accountId, id);
      const isSame = Object.keys(moved).every(
        (name) => destination?.settings[name] === before[name],
      );
      if (!destination || !isSame) return;
      destination.settings = { ...destination.settings, ...(moved as Record<string, string>) };
      await destinations.save(destination);
    });
  }
}

/** Pauses destinations whose calls have failed for days, and tells their owners. */
@Injectable()
export class DestinationFailures {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly deliveries: DeliveriesService,
    private readonly forms: FormsService,
    private readonly owners: FormOwners,
    private readonly accounts: AccountsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Records how a call ended. When that pauses the destination, the owners of its form get a notice, once; of one of all forms, the account. */
  async note(formId: number, id: Buffer, succeeded: boolean, now: Date): Promise<void> {
    const form = await this.forms.find(formId);
    const destination = form && (await this.destinations.findIn(form.accountId, id));
    if (!destination || (succeeded && destination.failingSince === null)) return;
    destination.note(succeeded, now);
    const emails =
      destination.formId === null
        ? [await this.accounts.emailOf(form.accountId)].filter((email) => email !== null)
        : await this.owners.of(form);
    const planned = emails.map(
      (recipient) => ({ kind: 'owner_notice', recipient, destinationId: id }) as const,
    );
    await this.unitOfWork.run(async (tx) => {
      const destinations = this.destinations.in(tx);
      if (succeeded) return destinations.recover(id);
      if (!(await destinations.fail(destination))) return;
      await runStatements(
        tx,
        this.deliveries.outboxInserts([{ formId, submissionId: null, planned }]),
      );
    });
    this.deliveries.wakeWorker();
  }
}

/** Parts of a secret address from this length on are secret by themselves, in characters. */
const PART_MIN = 16;

/** Calls destinations about submissions. */
@Injectable()
export class DestinationCaller {
  constructor(
    private readonly opener: DestinationOpener,
    private readonly calls: Calls,
    private readonly moves: DestinationMoves,
    private readonly files: FilesService,
    private readonly brands: BrandsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Makes one call.
   * @param id names the delivery, the same on every attempt
   */
  async call(
    destination: Destination,
    full: SubmissionInFull,
    id: string,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const kind = kindOf(destination.kind);
    const { settings, isReadable } = await this.opener.open(destination);
    if (!isReadable) return secretUnreadable(new SecretUnreadable().message);
    const now = this.clock.now();
    const { form, submission } = full;
    // What the account set up is read by its people, who sign in at its own address.
    const clientId = destination.clientId ?? form.madeByClientId;
    const { baseUrl } = await this.brands.ofCached({ accountId: form.accountId, clientId });
    const fileLinks = await this.files.links(full.files, now, baseUrl);
    const page = `${baseUrl}/inbox/${form.identifier}/${formatUuid(submission.id)}`;
    const { request } = kind;
    if (!request) return attemptResult('refused', 'obsolete', 'It sends mails.');
    const make = (used: KindSettings) =>
      this.calls.make(request(full, used, { id, now, fileLinks, page }), now, signal);
    const read = (made: AttemptResult) =>
      made.code === null || !kind.read ? made : kind.read(made);
    const made = await make(settings);
    const moved = kind.moved?.(made) ?? null;
    if (moved) await this.moves.follow(destination, moved);
    const ended = moved ? saying(moved, read(await make({ ...settings, ...moved }))) : read(made);
    return {
      ...ended,
      answer: ended.answer && hidden(ended.answer, secretsIn(destination.kind, settings)),
    };
  }
}

/** Says in an answer where its place has moved. */
function saying(moved: Record<string, string>, ended: AttemptResult): AttemptResult {
  const places = Object.entries(moved).map(([name, value]) => `${name} ${value}`);
  const note = `Moved to ${places.join(', ')}, which is stored now.`;
  return { ...ended, answer: [note, ended.answer ?? ''].join('\n').trim() };
}

/** Takes secrets out of an answer that repeats them, as they are, in a URL or in JSON. */
function hidden(answer: string, secrets: readonly string[]): string {
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
