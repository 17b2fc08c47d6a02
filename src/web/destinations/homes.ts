import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import type { Client } from '../../clients/client.entity.js';
import { ClientsService } from '../../clients/clients.service.js';
import type { OpenedDestination } from '../../destinations/destination-opener.js';
import { DestinationsService } from '../../destinations/destinations.service.js';
import { placeOf, type Place } from '../../destinations/model/place.js';
import type { Form } from '../../forms/model/form.entity.js';
import { FormsService } from '../../forms/forms.service.js';
import { recordIdOf } from '../../platform/http/record-id.pipe.js';
import { textOf, type Typed } from '../parts/typed.js';

/** Whose destinations a page is about: a form's, or those of all forms of a client or of the account. */
export interface Home {
  place: Place;
  /** Null for one of all forms. */
  form: Form | null;
  /** The client whose forms are meant; null for a form, and for all of the account. */
  client: Pick<Client, 'id' | 'name'> | null;
}

/** Finds out whose destinations a page is about. */
@Injectable()
export class Homes {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly clients: ClientsService,
    private readonly forms: FormsService,
  ) {}

  /**
   * Returns the home that an address names: a form, or a client by its query, or the account.
   * @param identifier undefined for no form
   * @throws FormNotFound, ClientNotFound, DestinationsOfAccount for a client
   */
  async of(principal: Principal, identifier: string | undefined, query: Typed): Promise<Home> {
    if (identifier !== undefined) return this.ofForm(principal, identifier);
    const named = textOf(query, 'client_id');
    const clientId = named === '' ? null : recordIdOf(named);
    return this.ofPlace(await this.destinations.placeOf(principal, clientId));
  }

  /**
   * Returns a destination with its home.
   * @throws FormNotFound, DestinationNotFound
   */
  async ofOne(
    principal: Principal,
    identifier: string | undefined,
    id: Buffer | null,
  ): Promise<{ home: Home; opened: OpenedDestination }> {
    const home =
      identifier === undefined
        ? await this.ofPlace(await this.destinations.placeOfOne(principal, id))
        : await this.ofForm(principal, identifier);
    return { home, opened: await this.destinations.show(home.place, id) };
  }

  private async ofForm(principal: Principal, identifier: string): Promise<Home> {
    const form = await this.forms.get(principal, identifier);
    return { place: placeOf(form), form, client: null };
  }

  private async ofPlace({ accountId, formId, clientId }: Place): Promise<Home> {
    const client = clientId === null ? null : await this.clients.find(accountId, clientId);
    const form = formId === null ? null : await this.forms.find(formId);
    return { place: { accountId, formId, clientId }, form, client };
  }
}

/** Returns the address of the list. */
export function listOf({ form, client }: Home): string {
  if (form) return `/forms/${form.identifier}/destinations`;
  return client ? `/destinations?client_id=${client.id}` : '/destinations';
}

/** Returns the address of a destination, below which something is done with it. */
export function pageOf({ form }: Home, id: string): string {
  return form ? `/forms/${form.identifier}/destinations/${id}` : `/destinations/${id}`;
}

/** Returns the address that draws a new destination. */
export function newOf({ form, client }: Home): string {
  if (form) return `/forms/${form.identifier}/new-destination`;
  return client ? `/new-destination?client_id=${client.id}` : '/new-destination';
}
