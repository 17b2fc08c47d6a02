import { listOf, PageQueryDto } from '../../platform/http/index.js';
import { BOM, csvLine, formatUuid, parseMoment, Optional, Parsed, Text } from '../../platform/index.js';
import type { AuditEntry } from './audit-entry.entity.js';
import { IntersectionType } from '@nestjs/swagger';
import { IsIn, IsUUID, Matches } from 'class-validator';
import type { AuditFilter } from './audit.repository.js';

/** Columns of the log as character-separated values. */
const COLUMNS = [
  'at',
  'actor_kind',
  'actor_id',
  'actor_name',
  'action',
  'target_kind',
  'target_id',
  'target_name',
  'details',
  'address',
];

/** The author of an action. */
class AuditActorDto {
  /** `person`, `token`, or `operator` for the command line. */
  kind: 'person' | 'token' | 'operator';
  /** Id of the person or the token; null for the command line. */
  id: number | null;
  /** Its name at that moment. */
  name: string;

  static of({ actorKind, actorId, actorName }: AuditEntry): AuditActorDto {
    return { kind: actorKind, id: actorId, name: actorName };
  }
}

/** The target of an action. */
class AuditTargetDto {
  /** Such as `form`, `token` or `person`. */
  kind: string;
  id: string | null;
  /** Its name at that moment. */
  name: string | null;

  static of({ targetKind, targetId, targetName }: AuditEntry): AuditTargetDto {
    return { kind: targetKind, id: targetId, name: targetName };
  }
}

export class AuditEntryDto {
  id: string;
  /** When it was done, ISO 8601 in UTC. */
  at: string;
  actor: AuditActorDto;
  /** Name of the action, such as `person.signed_in`. */
  action: string;
  target: AuditTargetDto;
  /** Further details of the action. */
  details: Record<string, unknown>;
  /** The network address that the request came from; null for the command line. */
  address: string | null;

  static of(entry: AuditEntry): AuditEntryDto {
    return {
      id: formatUuid(entry.id),
      at: entry.at.toISOString(),
      actor: AuditActorDto.of(entry),
      action: entry.action,
      target: AuditTargetDto.of(entry),
      details: entry.readDetails(),
      address: entry.address,
    };
  }

  /** Writes character-separated values, a line for an entry. */
  static async *csv(pieces: AsyncGenerator<AuditEntry[]>): AsyncGenerator<string> {
    yield BOM + csvLine(COLUMNS);
    for await (const entries of pieces) yield entries.map((entry) => csvLine(cellsOf(entry))).join('');
  }

  /** Writes JSON, one entry a line, as the API shows it. */
  static async *ndjson(pieces: AsyncGenerator<AuditEntry[]>): AsyncGenerator<string> {
    for await (const entries of pieces) {
      yield entries.map((entry) => `${JSON.stringify(AuditEntryDto.of(entry))}\n`).join('');
    }
  }
}

export class AuditListDto extends listOf('entries', AuditEntryDto) {}

function cellsOf(entry: AuditEntry) {
  const { actor, target, at, action, details, address } = AuditEntryDto.of(entry);
  const said = Object.keys(details).length === 0 ? '' : JSON.stringify(details);
  return [
    ...[at, actor.kind, String(actor.id ?? ''), actor.name, action],
    ...[target.kind, target.id ?? '', target.name ?? '', said, address ?? ''],
  ];
}

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
  static parameters({ page: _page, per_page: _perPage, before: _before, ...rest }: AuditQueryDto): URLSearchParams {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(rest as Record<string, string | undefined>)) {
      if (value !== undefined) parameters.set(name, value);
    }
    return parameters;
  }
}
