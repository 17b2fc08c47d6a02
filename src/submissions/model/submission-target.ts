import type { AuditTarget } from '../../audit/audit-entry.entity.js';
import type { Form } from '../../forms/model/form.entity.js';
import { formatUuid } from '../../platform/kernel/uuid.js';

/** Names a submission in the audit log: by its id and its form, since its values are a visitor's. */
export function submissionTarget({ name }: Form, id: Buffer): AuditTarget {
  return { kind: 'submission', id: formatUuid(id), name };
}
