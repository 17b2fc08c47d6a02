import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import {
  SealedTexts,
  type SealedRow,
  SecretBox,
  ReadCache,
  NotFoundError,
  SigningService,
  GuardedHttpClient,
  PrivateAddress,
  type Mailbox,
} from '../../platform/index.js';
import { ClientDeleted, FormsTaken, type ClientKey, ClientsService } from '../clients.service.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import { AccountsService, assertOwns } from '../../accounts/accounts.service.js';
import { AuditService } from '../../accounts/audit/audit.service.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Form } from '../../forms/model/form.entity.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { PublicAddresses } from '../hosts/hosts.service.js';
import { AccountBrandsRepository, ClientBrandsRepository } from './brands.repository.js';
import type { BrandDetails, ClientBrand, ClientSender } from './model/brand.entity.js';
import { LogoNotFound, SenderMissing } from './model/brand.errors.js';
import { readLogo } from './model/logo.js';
import { readSmtpAddress } from './model/smtp-address.js';

/** Purpose of the signed keys in sign-in addresses. */
const SIGN_IN = 'sign-in brand';
/** Far beyond any use, so that the key of an account is always the same: it only shows what clients see. */
const NEVER = new Date('2100-01-01T00:00:00Z');
const ID_BYTES = 4;

/** How an account, or one of its clients, looks to clients and to visitors, and who sends the mails. */
export interface Brand extends BrandDetails {
  /** Null while the account has no name of its own. */
  name: string | null;
  /** Path of the logo, such as `/files/logos/…`; null without one. */
  logoPath: string | null;
  /** Whether the name is that of a client, so that nothing shows the account's. */
  isOfClient: boolean;
  /** Null: mails come from us. */
  sender: ClientSender | null;
  /** Address of the service for its people and visitors, without a trailing slash. */
  baseUrl: string;
}

/** Absent stays, null clears. */
export type BrandChanges = Partial<BrandDetails> & { logo?: Buffer | null };

/** Knows how accounts and their clients look, and which of them each form shows. */
@Injectable()
export class BrandsService {
  /** By the id of the account. */
  private readonly cache = new ReadCache<Brand>(async (ids) => {
    const read = async (id: string) => [id, await this.ofAccount(Number(id))] as const;
    return new Map(await Promise.all(ids.map(read)));
  });
  /** By the id of the client. */
  private readonly clientCache = new ReadCache<ClientBrand>(async (ids) => {
    const found = await this.clientBrands.ofThese(ids.map(Number));
    return new Map(found.map((brand) => [String(brand.clientId), brand]));
  });
  /** The clients that see a form, by its id. */
  private readonly seers = new ReadCache<number[]>(async (ids) => {
    const found = await this.access.clientsOfEach(ids.map(Number));
    return new Map(ids.map((id) => [id, found.get(Number(id)) ?? []]));
  });

  constructor(
    private readonly brands: AccountBrandsRepository,
    private readonly clientBrands: ClientBrandsRepository,
    private readonly accounts: AccountsService,
    private readonly clients: ClientsService,
    private readonly access: FormQueries,
    private readonly addresses: PublicAddresses,
    private readonly audit: AuditService,
    private readonly signing: SigningService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @FormsTaken()
  forgetSeers(): void {
    this.seers.clear();
  }

  @ClientDeleted()
  async removeOf(tx: EntityManager, { id }: ClientKey): Promise<void> {
    await this.clientBrands.in(tx).remove(id);
    this.forget(id);
  }

  /** Returns how a client looks, or the account itself where it is null. @throws AccountNotFound */
  async of({ accountId, clientId }: Scope): Promise<Brand> {
    const brand = await this.ofAccount(accountId);
    if (clientId === null) return brand;
    return this.merge(brand, await this.clientBrands.get(clientId));
  }

  /**
   * Returns the same for pages and mails of which there are many. A new name of the account is seen within a second, as
   * other forms of a client are, and what is changed here at once.
   * @throws AccountNotFound
   */
  async ofCached({ accountId, clientId }: Scope): Promise<Readonly<Brand>> {
    const brand = (await this.cache.get(String(accountId))) ?? (await this.ofAccount(accountId));
    const own = clientId === null ? null : await this.clientCache.get(String(clientId));
    if (clientId === null) return brand;
    return own ? this.merge(brand, own) : this.at(brand, clientId);
  }

  /** Returns how the pages and mails of a form look. @throws AccountNotFound */
  async ofForm(form: Pick<Form, 'id' | 'accountId' | 'madeByClientId'>): Promise<Readonly<Brand>> {
    return this.ofCached({ accountId: form.accountId, clientId: await this.clientOf(form) });
  }

  /** Returns the client whose form this is: the one that made it, or else the only one that sees it; null for the account. */
  async clientOf({ id, madeByClientId }: Pick<Form, 'id' | 'madeByClientId'>): Promise<number | null> {
    if (madeByClientId !== null) return madeByClientId;
    const [first = null, ...others] = (await this.seers.get(String(id))) ?? [];
    return others.length === 0 ? first : null;
  }

  /** Drops what is remembered of a client that has changed. */
  forget(clientId: number) {
    this.clientCache.forget(String(clientId));
    this.seers.clear();
  }

  /** Returns the path of the sign-in page that looks like an account or a client. Nobody can guess that of another. */
  async signInPath(scope: Scope) {
    return `/sign-in?at=${await this.signInKey(scope)}`;
  }

  /** Returns the key by which pages before sign-in look like an account or a client. */
  signInKey({ accountId, clientId }: Scope) {
    const payload = Buffer.alloc(clientId === null ? ID_BYTES : 2 * ID_BYTES);
    payload.writeUInt32BE(accountId);
    if (clientId !== null) payload.writeUInt32BE(clientId, ID_BYTES);
    return this.signing.sign(SIGN_IN, payload, NEVER);
  }

  /** Returns how the account or client looks whose sign-in path has this key; null for none. */
  async findBySignInKey(key: string): Promise<Brand | null> {
    const payload = await this.signing.verify(SIGN_IN, key, new Date());
    if (payload?.length !== ID_BYTES && payload?.length !== 2 * ID_BYTES) return null;
    const clientId = payload.length === ID_BYTES ? null : payload.readUInt32BE(ID_BYTES);
    try {
      return await this.of({ accountId: payload.readUInt32BE(), clientId });
    } catch (error) {
      if (error instanceof NotFoundError) return null;
      throw error;
    }
  }

  /**
   * Changes how the account of `principal` looks.
   * @param field path of the logo in the caller's input, for the error
   * @throws AccountChangeForbidden, LogoRefused
   */
  async change(principal: Principal, changes: BrandChanges, field: string): Promise<Brand> {
    assertOwns(principal);
    const { logo, ...details } = changes;
    const settings = Object.keys(changes).join(',');
    const { accountId } = principal;
    const picture = logo ? readLogo(logo, field) : { logo: null, logoType: null, logoDigest: null };
    if (settings !== '') {
      await this.unitOfWork.run(async (tx) => {
        const changed = { ...details, ...(logo !== undefined && picture) };
        await this.brands.in(tx).change(accountId, changed);
        await this.audit.recordBy(tx, principal, {
          action: 'account.changed',
          target: { kind: 'account', id: accountId, name: null },
          details: { settings },
        });
      });
      this.cache.forget(String(accountId));
    }
    return this.ofAccount(accountId);
  }

  /**
   * Returns a logo by the digest in its address.
   * @throws LogoNotFound
   */
  async logo(digest: string): Promise<{ type: string; bytes: Buffer }> {
    const key = /^[0-9a-f]{64}$/.test(digest) ? Buffer.from(digest, 'hex') : null;
    const known = key && ((await this.brands.findLogo(key)) ?? (await this.clientBrands.findLogo(key)));
    if (!known?.logo || known.logoType === null) throw new LogoNotFound();
    return { type: known.logoType, bytes: known.logo };
  }

  private async ofAccount(accountId: number): Promise<Brand> {
    const name = await this.accounts.nameOf(accountId);
    const { colour, replyTo, logoDigest } = await this.brands.get(accountId);
    const logoPath = logoDigest && pathOf(logoDigest);
    const baseUrl = await this.addresses.ofClient(null);
    return { name, colour, replyTo, logoPath, isOfClient: false, sender: null, baseUrl };
  }

  private merge(account: Brand, own: ClientBrand): Promise<Brand> {
    return this.at(merged(account, own), own.clientId);
  }

  private async at(brand: Brand, clientId: number): Promise<Brand> {
    return { ...brand, baseUrl: await this.addresses.ofClient(clientId) };
  }

  /** Returns what a client has of its own. @throws ClientNotFound */
  async showOfClient(principal: Principal, clientId: number): Promise<ClientBrand> {
    await this.clients.assertHas(principal, clientId);
    return this.clientBrands.get(clientId);
  }

  /** Changes how a client looks. @throws ClientNotFound, LogoRefused */
  changeOfClient(principal: Principal, clientId: number, changes: ClientBrandChanges): Promise<ClientBrand> {
    return this.storeOfClient(principal, clientId, this.checkLook(changes));
  }

  /** Checks how a client is to look. @throws LogoRefused */
  checkLook(changes: ClientBrandChanges): CheckedChanges {
    const { logo, ...details } = changes;
    const picture = logo ? readLogo(logo, 'brand.logo') : { logo: null, logoType: null, logoDigest: null };
    const settings = Object.keys(changes);
    return { settings, changes: { ...details, ...(logo !== undefined && picture) } };
  }

  /** Stores what was checked of a client, all or nothing. @throws ClientNotFound */
  async storeOfClient(principal: Principal, clientId: number, ...checked: CheckedChanges[]): Promise<ClientBrand> {
    await this.clients.assertHas(principal, clientId);
    const settings = checked.flatMap((each) => each.settings);
    const changes = Object.assign({}, ...checked.map((each) => each.changes)) as object;
    if (settings.length > 0) {
      await this.unitOfWork.run(async (tx) => {
        // A client that is being deleted would leave the row behind.
        const details = { settings: settings.join(',') };
        await this.clients.recordChange(tx, principal, clientId, details);
        await this.clientBrands.in(tx).change(clientId, changes);
      });
      this.forget(clientId);
    }
    return this.clientBrands.get(clientId);
  }
}

/** Returns how a client looks. The account's logo and address say whose they are: neither stands beside the name of a client. */
function merged(account: Brand, own: ClientBrand): Brand {
  const logoPath = own.logoDigest && pathOf(own.logoDigest);
  return {
    name: own.name ?? account.name,
    colour: own.colour ?? account.colour,
    replyTo: own.replyTo ?? (own.name === null && !own.sender ? account.replyTo : null),
    logoPath: logoPath ?? (own.name === null ? account.logoPath : null),
    isOfClient: own.name !== null,
    sender: own.sender,
    baseUrl: account.baseUrl,
  };
}

/** Returns the path of a logo by its digest. */
export function pathOf(digest: Buffer) {
  return `/files/logos/${digest.toString('hex')}`;
}

/** Absent stays, null takes what the account has. */
export type ClientBrandChanges = BrandChanges & { name?: string | null };

/** Absent stays, null clears; without `from` there is no server either. */
/** Changes of a client's row, with their names in the audit log. */
export interface CheckedChanges {
  settings: string[];
  changes: Partial<ClientBrand>;
}

export interface SenderChanges {
  from?: Mailbox | null;
  /** With user and password. */
  smtpUrl?: string | null;
}

/** Keeps whom the mails for a client come from, and through which server they go. */
@Injectable()
export class ClientSenders {
  constructor(
    private readonly brands: BrandsService,
    private readonly http: GuardedHttpClient,
    private readonly secrets: SecretBox,
    private readonly rows: ClientBrandsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  @SealedTexts()
  async sealedRows(): Promise<SealedRow[]> {
    return (await this.rows.sealed()).map(({ clientId, sealed }) => ({
      sealed,
      replace: (anew) => this.unitOfWork.run((tx) => this.rows.in(tx).reseal(clientId, sealed, anew)),
    }));
  }

  /** Returns the sender of a client; null while it has none of its own. @throws ClientNotFound */
  async show(principal: Principal, clientId: number): Promise<ClientSender | null> {
    return (await this.brands.showOfClient(principal, clientId)).sender;
  }

  /** Changes who sends the mails of a client. @throws ClientNotFound, SenderMissing, PrivateAddress */
  async change(principal: Principal, clientId: number, changes: SenderChanges): Promise<ClientSender | null> {
    const checked = await this.check(principal, clientId, changes);
    return (await this.brands.storeOfClient(principal, clientId, checked)).sender;
  }

  /** Checks who is to send the mails of a client. @throws ClientNotFound, SenderMissing, PrivateAddress */
  async check(principal: Principal, clientId: number, { from, smtpUrl }: SenderChanges): Promise<CheckedChanges> {
    const { sender } = await this.brands.showOfClient(principal, clientId);
    const isNamed = from === undefined ? sender !== null : from !== null;
    if (smtpUrl && !isNamed) throw new SenderMissing('sender.from');
    if (from === null) smtpUrl = null;
    const changes: Partial<ClientBrand> = {
      ...(from !== undefined && { fromName: from?.name ?? null, fromAddress: from?.address ?? null }),
      ...(smtpUrl === null && { smtpHost: null, smtpSealed: null }),
      ...(smtpUrl && (await this.sealed(smtpUrl))),
    };
    const settings = [
      ...(from === undefined ? [] : ['sender.from']),
      ...(smtpUrl === undefined ? [] : ['sender.smtp_url']),
    ];
    return { settings, changes };
  }

  private async sealed(url: string): Promise<Partial<ClientBrand>> {
    if (await this.http.leadsInside(url)) throw new PrivateAddress('sender.smtp_url', url);
    return { smtpHost: readSmtpAddress(url)?.host ?? null, smtpSealed: await this.secrets.seal(url) };
  }
}
