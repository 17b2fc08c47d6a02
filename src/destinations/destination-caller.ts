import { Injectable } from '@nestjs/common';
import { attemptResult, type AttemptResult } from '../deliveries/model/attempt-result.js';
import { FilesService } from '../files/files.service.js';
import { Config } from '../platform/config/config.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { formatUuid } from '../platform/kernel/uuid.js';
import { SecretUnreadable } from '../platform/secrets/secret-box.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { Calls } from '../webhooks/calls.js';
import { DestinationOpener } from './destination-opener.js';
import { kindOf } from './kinds/kinds.js';
import type { Destination } from './model/destination.entity.js';

/** Calls destinations about submissions. */
@Injectable()
export class DestinationCaller {
  constructor(
    private readonly opener: DestinationOpener,
    private readonly calls: Calls,
    private readonly files: FilesService,
    private readonly clock: Clock,
    private readonly config: Config,
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
    // Another key may open them again.
    if (!isReadable) return attemptResult('deferred', 'failed', new SecretUnreadable().message);
    const now = this.clock.now();
    const fileLinks = await this.files.links(full.files, now);
    const { form, submission } = full;
    const page = `${this.config.baseUrl}/inbox/${form.identifier}/${formatUuid(submission.id)}`;
    const call = kind.request?.(full, settings, { id, now, fileLinks, page });
    if (!call) return attemptResult('refused', 'obsolete', 'It sends mails.');
    const ended = await this.calls.make(call, now, signal);
    return ended.code === null || !kind.read ? ended : kind.read(ended);
  }
}
