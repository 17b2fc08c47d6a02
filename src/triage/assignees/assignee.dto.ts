import { listOf } from '../../platform/http/index.js';
import { IsInt, ValidateIf } from 'class-validator';
import { Nested, Required } from '../../platform/index.js';
import type { Colleague } from './assignees.service.js';

/** Whom a submission is assigned to. */
export class AssigneeDto {
  /** Id of the person; null for somebody whom you do not know, such as a person of another client. */
  person_id: number | null;
  name: string | null;

  static of(colleague: Colleague | undefined): AssigneeDto {
    return { person_id: colleague?.id ?? null, name: colleague?.name ?? null };
  }
}

export class AssigneeOfSubmissionDto {
  /** Null for nobody. */
  assignee: AssigneeDto | null;
}

export class NewAssigneeDto {
  /** Id of a person who sees the form, as `GET /api/v1/forms/:identifier/assignees` lists them. */
  @IsInt({ message: 'must be the id of a person' })
  @Required()
  person_id: number;
}

export class AssignDto {
  /** Null for nobody. */
  @Nested(() => NewAssigneeDto, 'must be an object or null')
  @ValidateIf((_, value: unknown) => value !== null)
  assignee: NewAssigneeDto | null;
}

/** A person to whom submissions of a form can be assigned. */
export class ColleagueDto {
  person_id: number;
  name: string;
  email: string;

  static of({ id, name, email }: Colleague): ColleagueDto {
    return { person_id: id, name, email };
  }
}

/** The people to whom submissions of a form can be assigned, by name. */
export class ColleagueListDto extends listOf('people', ColleagueDto) {}
