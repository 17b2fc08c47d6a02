import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../access/principal.js';
import type { AuditEvent, AuditTarget } from '../../audit/audit-entry.entity.js';
import { AuditService } from '../../audit/audit.service.js';
import type { Person } from '../person/person.entity.js';

/** An action of people on themselves, and its details. */
export type PersonEvent = Pick<AuditEvent, 'action' | 'details'>;

/** A person who does something, and where they act; nowhere by default. */
interface Doer {
  person: Person;
  principal?: { accountId: number } | null;
}

/** Records what people do to themselves. */
@Injectable()
export class PersonAudit {
  constructor(private readonly audit: AuditService) {}

  /** @param address of the network that the person is at */
  record(tx: EntityManager, doer: Doer, address: string, event: PersonEvent): Promise<void> {
    return this.audit.record(tx, actorOf(doer.person, address), eventOf(doer, event));
  }

  /** Records an action that changes no row. */
  recordAlone(doer: Doer, address: string, event: PersonEvent): Promise<void> {
    return this.audit.recordAlone(actorOf(doer.person, address), eventOf(doer, event));
  }
}

/** Returns a person as the target of an audit entry. */
export function personTarget({ id, name }: Person): AuditTarget {
  return { kind: 'person', id, name };
}

/** Returns a person as the actor of an audit entry. */
export function actorOf({ id, name, timeZone }: Person, address: string | null): Actor {
  return { kind: 'person', id, name, address, timeZone };
}

function eventOf({ person, principal }: Doer, event: PersonEvent): AuditEvent {
  return { ...event, accountId: principal?.accountId ?? null, target: personTarget(person) };
}
