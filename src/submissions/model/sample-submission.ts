import { parseUuid, formatUuid } from '../../platform/index.js';
import { Submission } from './submission.entity.js';
import { SubmittedValues } from './submitted-values.js';
import type { AuditTarget } from '../../accounts/audit/audit-entry.entity.js';
import type { Form } from '../../forms/model/form.entity.js';

/** The id of a sample, which no submission has. */
const SAMPLE_ID = '00000000-0000-7000-8000-000000000000';

const SAMPLE: [name: string, text: string][] = [
  ['name', 'Jane Doe'],
  ['email', 'jane@example.com'],
  ['message', 'This is a test.'],
];

/** Returns an invented submission, to show what a form makes of one. */
export function sampleSubmission(formId: number, createdAt: Date, origin: string | null): Submission {
  return Object.assign(new Submission(), {
    ...{ id: parseUuid(SAMPLE_ID), formId, createdAt },
    ...{ trash: false, spam: false, done: false, spamReason: null, spamCode: null },
    payload: SubmittedValues.ofPairs(SAMPLE).encode(),
    ...{ origin, referer: null, userAgent: null, address: null },
    ...{ country: null, language: null, subject: null, facets: null },
  });
}

/** Names a submission in the audit log: by its id and its form, since its values are a visitor's. */
export function submissionTarget({ name }: Form, id: Buffer): AuditTarget {
  return { kind: 'submission', id: formatUuid(id), name };
}
