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
import { DestinationMoves } from './destination-moves.js';
import { DestinationOpener } from './destination-opener.js';
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
