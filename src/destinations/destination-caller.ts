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
import { kindOf } from './kinds/kinds.js';
import type { Destination } from './model/destination.entity.js';
import { HIDDEN, splitSettings } from './model/kind-settings.js';

/** Calls destinations about submissions. */
@Injectable()
export class DestinationCaller {
  constructor(
    private readonly opener: DestinationOpener,
    private readonly calls: Calls,
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
    const call = kind.request?.(full, settings, { id, now, fileLinks, page });
    if (!call) return attemptResult('refused', 'obsolete', 'It sends mails.');
    const made = await this.calls.make(call, now, signal);
    const ended = made.code === null || !kind.read ? made : kind.read(made);
    const { secret } = splitSettings(destination.kind, settings);
    return { ...ended, answer: ended.answer && hidden(ended.answer, Object.values(secret)) };
  }
}

/** Takes secrets out of an answer that repeats them, as they are, in a URL or in JSON. */
function hidden(answer: string, secrets: readonly string[]): string {
  const spellings = secrets.flatMap((secret) => {
    const path = /^https?:\/\/[^/]+\/(.+)$/i.exec(secret)?.[1];
    return [secret, ...(path === undefined ? [] : [path])].flatMap((text) => [
      ...[text, encodeURI(text), encodeURIComponent(text), JSON.stringify(text).slice(1, -1)],
      text.replaceAll('&', '&amp;'),
    ]);
  });
  return spellings
    .sort((one, other) => other.length - one.length)
    .reduce((text, spelling) => text.replaceAll(spelling, HIDDEN), answer);
}
