import { Injectable } from '@nestjs/common';
import type { Principal } from '../access/principal.js';
import { ClientsService } from '../clients/clients.service.js';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { BrandsService, type BrandChanges } from './brands.service.js';
import { ClientBrandsRepository } from './client-brands.repository.js';
import type { ClientBrand } from './model/client-brand.entity.js';
import { readLogo } from './model/logo.js';

/** Absent stays, null takes what the account has. */
export type ClientBrandChanges = BrandChanges & { name?: string | null };

/** Keeps how clients of an account look. */
@Injectable()
export class ClientBrandsService {
  constructor(
    private readonly brands: ClientBrandsRepository,
    private readonly known: BrandsService,
    private readonly clients: ClientsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns what a client has of its own. @throws ClientNotFound */
  async show(principal: Principal, clientId: number): Promise<ClientBrand> {
    await this.clients.assertHas(principal, clientId);
    return this.brands.get(clientId);
  }

  /**
   * Changes how a client looks.
   * @throws ClientNotFound, LogoRefused
   */
  async change(
    principal: Principal,
    clientId: number,
    changes: ClientBrandChanges,
  ): Promise<ClientBrand> {
    const { logo, ...details } = changes;
    const picture = logo
      ? readLogo(logo, 'brand.logo')
      : { logo: null, logoType: null, logoDigest: null };
    return this.store(principal, clientId, Object.keys(changes), {
      ...details,
      ...(logo !== undefined && picture),
    });
  }

  /**
   * Stores changes of a client's row.
   * @param settings their names in the audit log
   * @throws ClientNotFound
   */
  async store(
    principal: Principal,
    clientId: number,
    settings: string[],
    changes: Partial<ClientBrand>,
  ): Promise<ClientBrand> {
    await this.clients.assertHas(principal, clientId);
    if (settings.length > 0) {
      await this.unitOfWork.run(async (tx) => {
        // A client that is being deleted would leave the row behind.
        const details = { settings: settings.join(',') };
        await this.clients.recordChange(tx, principal, clientId, details);
        await this.brands.in(tx).change(clientId, changes);
      });
      this.known.forget(clientId);
    }
    return this.brands.get(clientId);
  }
}
