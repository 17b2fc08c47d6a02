import { asked } from '../../platform/http/wrapped.js';
import { ArrayMaxSize, IsArray, IsInt, Min } from 'class-validator';
import { parseEmailAddress } from '../../platform/kernel/text/email-address.js';
import { Flag, Optional, Parsed, Required, Text } from '../../platform/kernel/validation.js';
import type { ClientDetails } from '../client.entity.js';

export const CLIENT_NAME_MAX = 255;
/** Most forms of a client in one request; below the limit of a body's elements. */
const FORM_IDS_MAX = 10_000;

export const ClientEmail = () =>
  Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com');

/** Checks for a list of ids of forms. */
export function FormIds(): PropertyDecorator {
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
