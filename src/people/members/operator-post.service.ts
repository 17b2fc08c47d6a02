import { Injectable, Logger } from '@nestjs/common';
import { Mailer, attemptMail } from '../../mail/mailer.js';
import { notice, type Content } from '../../mail/parts/layout.js';
import { Config, formatUuid, makeUuid, RateLimits } from '../../platform/index.js';
import { PeopleService, MembersService } from './members.service.js';
import type { Principal } from '../../accounts/access/index.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { BrandsService } from '../../clients/brands/brands.service.js';
import { ClientsService } from '../../clients/clients.service.js';
import type { AttemptResult } from '../../deliveries/model/outcome.js';
import { CallTimeouts } from '../../deliveries/queue/call-timeouts.js';
import { senderTestMail } from '../../mail/messages/person-mails.js';
import { sentBy } from '../../mail/parts/message.js';
import { TestRecipientUnknown } from '../person/person.errors.js';

/** Mails operators about the service. */
@Injectable()
export class OperatorPost {
  private readonly logger = new Logger(OperatorPost.name);

  constructor(
    private readonly people: PeopleService,
    private readonly mailer: Mailer,
    private readonly config: Config,
  ) {}

  /**
   * Mails all operators.
   * @param key names what it is about, for ids of messages
   * @returns whether one of them was told, or nobody has to be
   */
  async send(key: string, content: Content) {
    const operators = (await this.people.list()).filter((person) => person.isOperator && person.disabledAt === null);
    let isTold = operators.length === 0;
    for (const { id, email } of operators) {
      await this.mailer.send(`${key}-${id}`, notice(this.config.mailFrom, email, content)).then(
        () => (isTold = true),
        (error: unknown) => {
          this.logger.warn('An operator was not told', { about: key, person: id, error });
        },
      );
    }
    return isTold;
  }
}

/** Tries the senders of clients. */
@Injectable()
export class SenderTests {
  constructor(
    private readonly clients: ClientsService,
    private readonly members: MembersService,
    private readonly accounts: AccountsService,
    private readonly brands: BrandsService,
    private readonly mailer: Mailer,
    private readonly timeouts: CallTimeouts,
    private readonly limits: RateLimits,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /**
   * Sends a mail as those for a client are sent, now and once.
   * @param wanted address of a person of the account; null for that of who asks, or of the account itself
   * @returns where it went, and how that ended
   * @throws ClientNotFound, TestRecipientUnknown, RateLimited
   */
  async send(
    principal: Principal,
    clientId: number,
    wanted: string | null,
  ): Promise<{ to: string; ended: AttemptResult }> {
    const { accountId } = principal;
    const { client } = await this.clients.show(principal, clientId);
    const to = await this.recipientFor(principal, wanted);
    this.limits.admit('test-mail', principal.actor.id ?? 0);
    await this.audit.recordAloneBy(principal, {
      action: 'mail.tested',
      target: { kind: 'client', id: clientId, name: client.name },
      details: { mail: 'sender' },
    });
    const by = sentBy(await this.brands.of({ accountId, clientId }), this.config);
    const ended = await this.timeouts.run((signal) =>
      attemptMail(this.mailer, formatUuid(makeUuid()), senderTestMail(by, to), signal),
    );
    return { to, ended };
  }

  private async recipientFor(principal: Principal, wanted: string | null) {
    const { accountId, actor } = principal;
    const people = (await this.members.list(principal, null)).map(({ person }) => person);
    const own = await this.accounts.emailOf(accountId);
    if (wanted !== null) {
      const known = [...people.map(({ email }) => email), own ?? ''];
      const found = known.find((email) => email.toLowerCase() === wanted.toLowerCase());
      if (found === undefined) throw new TestRecipientUnknown();
      return found;
    }
    const asking = actor.kind === 'person' ? people.find(({ id }) => id === actor.id) : undefined;
    const to = asking?.email ?? own;
    if (to === null) throw new TestRecipientUnknown();
    return to;
  }
}
