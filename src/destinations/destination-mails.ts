import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DestinationNames } from '../deliveries/destination-names.js';
import { MailChannel } from '../mail/mail-channel.js';
import type {
  MailDestinations,
  OwnerTemplate,
  StoredTemplate,
} from '../mail/messages/owner-template.js';
import { DestinationsRepository } from './destinations.repository.js';
import { commaList } from '../platform/kernel/text/comma-list.js';
import type { KindSettings } from './kinds/kind.js';
import { directOf, recipientsIn } from './model/mail-recipients.js';

/** Tells the channel of mails about destinations that are mails, and the outbox how destinations are called. */
@Injectable()
export class DestinationMails implements MailDestinations, OnModuleInit {
  constructor(
    private readonly destinations: DestinationsRepository,
    private readonly channel: MailChannel,
    private readonly names: DestinationNames,
  ) {}

  onModuleInit(): void {
    this.channel.registerDestinations(this);
    this.names.register((ids) => this.destinations.namesOf(ids));
  }

  async templateOf(
    accountId: number,
    id: Buffer,
    recipient: string,
  ): Promise<StoredTemplate | 'gone' | 'paused'> {
    const destination = await this.destinations.findIn(accountId, id);
    const key = recipient.toLowerCase();
    const isNamed = (settings: KindSettings) =>
      recipientsIn(settings).some((email) => email.toLowerCase() === key);
    if (!destination || !isNamed(destination.settings)) return 'gone';
    const { settings, isPaused, isForAccount } = destination;
    return isPaused ? 'paused' : { ...templateIn(settings), isForAccount };
  }

  async nameOf(accountId: number, id: Buffer): Promise<string | null> {
    return (await this.destinations.findIn(accountId, id))?.name ?? null;
  }
}

/** Returns how the settings of a mail want it. */
export function templateIn(settings: KindSettings) {
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
