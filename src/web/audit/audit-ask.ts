import { AUDIT_ACTIONS, type AuditAction } from '../../audit/audit-actions.js';
import type { AuditFilter } from '../../audit/audit.service.js';
import { startOfDay } from '../../platform/kernel/time/days.js';
import { DAY_MS } from '../../platform/kernel/time/durations.js';

/** Filter of the audit log page, as its address has it; '' for no choice. */
export interface AuditAsk {
  /** Such as `person`, or `person:7` for one. */
  actor: string;
  action: string;
  /** Such as `form`, or `form:0123456789abcdef` for one. */
  target: string;
  /** First day, such as `2030-01-31`, in the zone of the person who looks. */
  from: string;
  /** Last day. */
  to: string;
  /** `instance` for what concerns the whole service. */
  of: string;
}

const ACTOR = /^(person|token|operator)(?::([1-9]\d{0,8}))?$/;
const TARGET = /^([a-z]{1,32})(?::([\w-]{1,64}))?$/;

/** Reads an address; what it cannot be is no choice. */
export function askOf(query: Record<string, unknown>): AuditAsk {
  const text = (name: string) => (typeof query[name] === 'string' ? query[name] : '');
  const known = (name: string, shape: RegExp) => (shape.test(text(name)) ? text(name) : '');
  return {
    actor: known('actor', ACTOR),
    action: AUDIT_ACTIONS.find((action: AuditAction) => action === text('action')) ?? '',
    target: known('target', TARGET),
    from: known('from', /^\d{4}-\d\d-\d\d$/),
    to: known('to', /^\d{4}-\d\d-\d\d$/),
    of: text('of') === 'instance' ? 'instance' : '',
  };
}

/** Returns what selects the entries that are asked for. */
export function filterOf(ask: AuditAsk, timeZone: string): AuditFilter {
  const [, actorKind, actorId] = ACTOR.exec(ask.actor) ?? [];
  const [, targetKind, targetId] = TARGET.exec(ask.target) ?? [];
  const since = startOfDay(ask.from, timeZone);
  const until = startOfDay(dayAfter(ask.to), timeZone);
  return {
    ...(ask.action !== '' && { action: ask.action }),
    ...(actorKind !== undefined && { actorKind }),
    ...(actorId !== undefined && { actorId: Number(actorId) }),
    ...(targetKind !== undefined && { targetKind }),
    ...(targetId !== undefined && { targetId }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

/** Returns '' for what is no day. */
function dayAfter(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? '' : new Date(time + DAY_MS).toISOString().slice(0, 10);
}

/** Returns the address of what is asked for, without what is not said. */
export function auditAddress(
  ask: Partial<AuditAsk> & { before?: string },
  path = '/audit',
): string {
  const said = Object.entries(ask).filter(([, value]) => value !== '');
  const parameters = new URLSearchParams(said);
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}
