import { listOf } from '../../platform/http/wrapped.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { Identity } from '../credentials/identity.entity.js';

/** An identity of a person at an OpenID Connect provider. */
export class IdentityDto {
  id: string;
  /** The provider's issuer identifier. */
  issuer: string;
  /** The address that the provider named when the identity was linked; null when it named none. */
  email: string | null;
  linked_at: string;

  static of({ id, issuer, email, createdAt }: Identity): IdentityDto {
    return { id: formatUuid(id), issuer, email, linked_at: createdAt.toISOString() };
  }
}

export class IdentityListDto extends listOf('identities', IdentityDto) {}
