import { BOM, csvLine } from '../../platform/kernel/text/csv-line.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { AuditEntry } from '../audit-entry.entity.js';

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
export class AuditActorDto {
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
export class AuditTargetDto {
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
    for await (const entries of pieces)
      yield entries.map((entry) => csvLine(cellsOf(entry))).join('');
  }

  /** Writes JSON, one entry a line, as the API shows it. */
  static async *ndjson(pieces: AsyncGenerator<AuditEntry[]>): AsyncGenerator<string> {
    for await (const entries of pieces) {
      yield entries.map((entry) => `${JSON.stringify(AuditEntryDto.of(entry))}\n`).join('');
    }
  }
}

export class AuditListDto {
  entries: AuditEntryDto[];

  static of(entries: AuditEntry[]): AuditListDto {
    return { entries: entries.map((entry) => AuditEntryDto.of(entry)) };
  }
}

function cellsOf(entry: AuditEntry): string[] {
  const { actor, target, at, action, details, address } = AuditEntryDto.of(entry);
  const said = Object.keys(details).length === 0 ? '' : JSON.stringify(details);
  return [
    ...[at, actor.kind, String(actor.id ?? ''), actor.name, action],
    ...[target.kind, target.id ?? '', target.name ?? '', said, address ?? ''],
  ];
}
