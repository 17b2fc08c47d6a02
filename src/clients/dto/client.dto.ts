import { ArrayMaxSize, IsArray, IsInt, Min } from 'class-validator';
import { asked, given } from '../../platform/http/index.js';
import { parseEmailAddress, Flag, Optional, Parsed, Required, Text } from '../../platform/index.js';
import type { ClientDetails, Client } from '../client.entity.js';
import type { ClientWithForms } from '../clients.service.js';

const CLIENT_NAME_MAX = 255;
/** Most forms of a client in one request; below the limit of a body's elements. */
const FORM_IDS_MAX = 10_000;

const ClientEmail = () =>
  Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com');

/** Checks for a list of ids of forms. */
function FormIds(): PropertyDecorator {
  const decorators = [
    Min(1, { each: true, message: 'must only list ids of forms, such as [1,2]' }),
    IsInt({ each: true, message: 'must only list ids of forms, such as [1,2]' }),
    ArrayMaxSize(FORM_IDS_MAX, { message: `must not list more than ${FORM_IDS_MAX} ids` }),
    IsArray({ message: 'must be a list of form ids, such as [1,2]' }),
  ];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** A client as it is created. */
export class CreateClientDetailsDto {
  /** Name of the client, 1 to 255 characters. */
  @Text({ min: 1, max: CLIENT_NAME_MAX, trim: true })
  @Required()
  name: string;

  /** Email address, unique within the account in any case of letters. */
  @ClientEmail()
  @Required()
  email: string;

  /** Whether the client's tokens may create forms; false when left out. */
  @Flag()
  @Optional()
  can_create_forms?: boolean;

  /** Ids of the forms the client sees. */
  @FormIds()
  @Optional()
  form_ids?: number[];

  static of(dto: CreateClientDetailsDto): ClientDetails {
    return { name: dto.name, email: dto.email, canCreateForms: dto.can_create_forms ?? false };
  }
}

export class CreateClientDto extends asked('client', CreateClientDetailsDto) {}

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

  static of({ form_ids: _, ...details }: ChangeClientDetailsDto): Partial<ClientDetails> {
    return given(details);
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
