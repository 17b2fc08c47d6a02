import { asked } from '../../platform/http/wrapped.js';
import type { Client, ClientDetails } from '../client.entity.js';
import type { ClientWithForms } from '../clients.service.js';
import { Flag, Optional, Text } from '../../platform/kernel/validation.js';
import { CLIENT_NAME_MAX, ClientEmail, FormIds } from './create-client.dto.js';

/** Changes to a client. Absent fields stay as they are. */
export class ChangeClientDetailsDto {
  /** Name of the client, 1 to 255 characters. */
  @Text({ min: 1, max: CLIENT_NAME_MAX, trim: true })
  @Optional()
  name?: string;

  /** Email address, unique within the account in any case of letters. */
  @ClientEmail()
  @Optional()
  email?: string;

  /** Whether the client's tokens may create forms. */
  @Flag()
  @Optional()
  can_create_forms?: boolean;

  /** Ids of the forms the client sees; replaces the former ones. */
  @FormIds()
  @Optional()
  form_ids?: number[];

  static of({ name, email, can_create_forms }: ChangeClientDetailsDto): Partial<ClientDetails> {
    return {
      ...(name !== undefined && { name }),
      ...(email !== undefined && { email }),
      ...(can_create_forms !== undefined && { canCreateForms: can_create_forms }),
    };
  }
}

export class ChangeClientDto extends asked('client', ChangeClientDetailsDto) {}

class ClientPermissionsDto {
  /** Whether the client's tokens may create forms. */
  can_create_forms: boolean;
}

class ClientFormDto {
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
