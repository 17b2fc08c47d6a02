import { formatUuid } from '../../platform/kernel/uuid.js';
import type { AuditEntry } from '../audit-entry.entity.js';

/** Who did something. */
export class AuditActorDto {
  /** `person`, `token`, or `operator` for the command line. */
  kind: string;
  /** Of the person or the token; null for the command line. */
  id: number | null;
  /** What it was called at that moment. */
  name: string;

  static of({ actorKind, actorId, actorName }: AuditEntry): AuditActorDto {
    return { kind: actorKind, id: actorId, name: actorName };
  }
}

/** What something was done to. */
export class AuditTargetDto {
  /** Such as `form`, `token` or `person`. */
  kind: string;
  id: string | null;
  /** What it was called at that moment. */
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
  /** What was done, such as `person.signed_in`. */
  action: string;
  target: AuditTargetDto;
  /** What else is known of it. */
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
}

export class AuditListDto {
  entries: AuditEntryDto[];

  static of(entries: AuditEntry[]): AuditListDto {
    return { entries: entries.map((entry) => AuditEntryDto.of(entry)) };
  }
}
