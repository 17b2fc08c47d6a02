import { IntersectionType } from '@nestjs/swagger';
import { IsIn, IsUUID, Matches } from 'class-validator';
import { PageQueryDto } from '../../platform/http/page-query.dto.js';
import { parseMoment } from '../../platform/kernel/time/moment.js';
import { Optional, Parsed, Text } from '../../platform/kernel/validation.js';
import type { AuditFilter } from '../audit.repository.js';

const ACTOR_KINDS = ['person', 'token', 'operator'] as const;

/** Narrows the list of what was done. */
export class AuditFilterDto {
  /** Name of the action, such as `token.issued`. */
  @Text({ min: 1, max: 64 })
  @Optional()
  action?: string;

  /** Kind of the actor: `person`, `token` or `operator`. */
  @IsIn(ACTOR_KINDS, { message: `must be one of ${ACTOR_KINDS.join(', ')}` })
  @Optional()
  actor_kind?: string;

  /** Id of the person or the token that did it. */
  @Matches(/^[1-9]\d{0,8}$/, { message: 'must be an id, such as 7' })
  @Optional()
  actor_id?: string;

  /** Kind of the target, such as `form`. */
  @Text({ min: 1, max: 32 })
  @Optional()
  target_kind?: string;

  /** Id of what it was done to. */
  @Text({ min: 1, max: 64 })
  @Optional()
  target_id?: string;

  /** Only what was done at this moment or later, ISO 8601. */
  @Parsed('wrong_date', parseMoment, 'must be a date and time such as 2030-01-31T12:00:00Z')
  @Optional()
  since?: string;

  /** Only what was done before this moment, ISO 8601. */
  @Parsed('wrong_date', parseMoment, 'must be a date and time such as 2030-01-31T12:00:00Z')
  @Optional()
  until?: string;

  static filter(query: AuditFilterDto): AuditFilter {
    const { action, actor_kind, actor_id, target_kind, target_id, since, until } = query;
    return {
      ...(action !== undefined && { action }),
      ...(actor_kind !== undefined && { actorKind: actor_kind }),
      ...(actor_id !== undefined && { actorId: Number(actor_id) }),
      ...(target_kind !== undefined && { targetKind: target_kind }),
      ...(target_id !== undefined && { targetId: target_id }),
      ...(since !== undefined && { since: new Date(since) }),
      ...(until !== undefined && { until: new Date(until) }),
    };
  }
}

export class AuditQueryDto extends IntersectionType(PageQueryDto, AuditFilterDto) {
  /** Only what was done before this entry: the fast way through a long list. `page` does not count then. */
  @IsUUID('all', { message: 'must be the id of an entry' })
  @Optional()
  before?: string;

  /** Returns the parameters that links to other pages carry: the filter without page and position. */
  static parameters({
    page: _page,
    per_page: _perPage,
    before: _before,
    ...rest
  }: AuditQueryDto): URLSearchParams {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(rest as Record<string, string | undefined>)) {
      if (value !== undefined) parameters.set(name, value);
    }
    return parameters;
  }
}
