import { asked } from '../../platform/http/wrapped.js';
import { IsInt, IsPositive } from 'class-validator';
import type { Member } from '../../people/members/people.service.js';
import { Optional, Required } from '../../platform/kernel/validation.js';

class SeenPersonDto {
  /** Id of the person, as `/api/v1/people` and `/api/v1/clients/:id/people` list it. */
  @IsPositive({ message: 'must be the id of a person' })
  @IsInt({ message: 'must be the id of a person' })
  @Required()
  person_id: number;

  /** Id of the client whose person it is; null or left out for a member of the account. */
  @IsPositive({ message: 'must be the id of a client' })
  @IsInt({ message: 'must be the id of a client' })
  @Optional({ nullable: true })
  client_id?: number | null;
}

export class BeginViewDto extends asked('view', SeenPersonDto) {}

/** As whom an owner sees the pages. */
export class SeenAsDto {
  person_id: number;
  name: string;
  /** Null for a member of the account. */
  client_id: number | null;
}

export class ViewDto {
  /** Null while you see the pages as yourself. */
  view: SeenAsDto | null;

  static of(view: Member | null): ViewDto {
    if (!view) return { view: null };
    const { person, membership } = view;
    return { view: { person_id: person.id, name: person.name, client_id: membership.clientId } };
  }
}
