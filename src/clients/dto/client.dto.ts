import type { Client } from '../client.entity.js';
import type { ClientWithForms } from '../clients.service.js';

export class ClientPermissionsDto {
  /** Whether the client's tokens may create forms. */
  can_create_forms: boolean;
}

export class ClientFormDto {
  id: number;
  name: string;
  /** Unique token of the form. */
  identifier: string;
}

/** A client with the forms it sees. */
export class ClientDto {
  id: number;
  name: string;
  email: string;
  permissions: ClientPermissionsDto;
  forms: ClientFormDto[];

  static of({ client, forms }: ClientWithForms): ClientDto {
    return {
      id: client.id,
      name: client.name,
      email: client.email,
      permissions: { can_create_forms: client.canCreateForms },
      forms: forms.map(({ id, name, identifier }) => ({ id, name, identifier })),
    };
  }
}

/** A client as the answer to its creation shows it: the forms by id alone. */
export class CreatedClientDto {
  id: number;
  name: string;
  email: string;
  permissions: ClientPermissionsDto;
  /** Ids of the forms the client sees. */
  forms: number[];

  static of(client: Client, formIds: number[]): CreatedClientDto {
    return {
      id: client.id,
      name: client.name,
      email: client.email,
      permissions: { can_create_forms: client.canCreateForms },
      forms: [...new Set(formIds)],
    };
  }
}
