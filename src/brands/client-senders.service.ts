import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { GuardedHttpClient, PrivateAddress } from '../platform/http-client/guarded-http-client.js';
import type { Mailbox } from '../platform/config/mailbox.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { SealedRows } from '../platform/secrets/sealed-rows.js';
import { SecretBox } from '../platform/secrets/secret-box.js';
import { ClientBrandsRepository } from './client-brands.repository.js';
import { ClientBrandsService } from './client-brands.service.js';
import { SenderMissing } from './model/brand.errors.js';
import type { ClientBrand, ClientSender } from './model/client-brand.entity.js';
import { readSmtpAddress } from './model/smtp-address.js';

/** Absent stays, null clears; without `from` there is no server either. */
export interface SenderChanges {
  from?: Mailbox | null;
  /** With user and password. */
  smtpUrl?: string | null;
}

/** Keeps whom the mails for a client come from, and through which server they go. */
@Injectable()
export class ClientSenders implements OnModuleInit {
  constructor(
    private readonly brands: ClientBrandsService,
    private readonly http: GuardedHttpClient,
    private readonly secrets: SecretBox,
    private readonly rows: ClientBrandsRepository,
    private readonly sealedRows: SealedRows,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  onModuleInit(): void {
    this.sealedRows.register(async () =>
      (await this.rows.sealed()).map(({ clientId, sealed }) => ({
        sealed,
        replace: (anew) =>
          this.unitOfWork.run((tx) => this.rows.in(tx).reseal(clientId, sealed, anew)),
      })),
    );
  }

  /** Returns the sender of a client; null while it has none of its own. @throws ClientNotFound */
  async show(principal: Principal, clientId: number): Promise<ClientSender | null> {
    return (await this.brands.show(principal, clientId)).sender;
  }

  /** @throws ClientNotFound, SenderMissing, PrivateAddress */
  async change(
    principal: Principal,
    clientId: number,
    { from, smtpUrl }: SenderChanges,
  ): Promise<ClientSender | null> {
    const { sender } = await this.brands.show(principal, clientId);
    const isNamed = from === undefined ? sender !== null : from !== null;
    if (smtpUrl && !isNamed) throw new SenderMissing('sender.from');
    if (from === null) smtpUrl = null;
    const changes: Partial<ClientBrand> = {
      ...(from !== undefined && {
        fromName: from?.name ?? null,
        fromAddress: from?.address ?? null,
      }),
      ...(smtpUrl === null && { smtpHost: null, smtpSealed: null }),
      ...(smtpUrl && (await this.sealed(smtpUrl))),
    };
    const settings = [
      ...(from === undefined ? [] : ['sender.from']),
      ...(smtpUrl === undefined ? [] : ['sender.smtp_url']),
    ];
    return (await this.brands.store(principal, clientId, settings, changes)).sender;
  }

  private async sealed(url: string): Promise<Partial<ClientBrand>> {
    if (await this.http.leadsInside(url)) throw new PrivateAddress('sender.smtp_url', url);
    return {
      smtpHost: readSmtpAddress(url)?.host ?? null,
      smtpSealed: await this.secrets.seal(url),
    };
  }
}
