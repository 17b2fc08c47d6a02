import { newSubmission } from '../../../test/support/fake-database.js';
import { makeUuid } from '../../platform/kernel/uuid.js';
import { Verdict } from '../../spam/evidence/verdict.js';
import { submissionInserts, type NewSubmission } from './submission-inserts.js';

const BANDS = { heldAt: 5, spamAt: 10 };
const SPAM = Verdict.of([{ name: 'honeypot', points: 10, reason: 'It was filled in.' }], BANDS);

const submission = (formId: number, sizes: number[], verdict = Verdict.CLEAN) => {
  const file = { id: makeUuid(), field: 'cv', name: 'cv.pdf', mediaType: 'application/pdf' };
  const files = sizes.map((size) => ({ ...file, size, sha256: Buffer.alloc(32) }));
  return { ...newSubmission({ formId }), verdict, files };
};

const updates = (...submissions: NewSubmission[]) =>
  submissionInserts(submissions)
    .map(({ sql }) => sql)
    .filter((sql) => sql.startsWith('UPDATE'));

describe('The counts of forms in a batch', () => {
  it('are changed by one statement, with the bytes of all files and of spam too', () => {
    expect(updates(submission(9, [1, 2]), submission(9, [3]), submission(10, [40], SPAM))).toEqual([
      'UPDATE forms SET submission_count = submission_count + CASE id WHEN 9 THEN 2 ELSE 0 END, ' +
        'files_bytes = files_bytes + CASE id WHEN 9 THEN 6 WHEN 10 THEN 40 ELSE 0 END WHERE id IN (9,10)',
    ]);
  });

  it('are changed alone when no file came, and not at all for spam alone', () => {
    expect(updates(submission(10, []), submission(9, []))).toEqual([
      'UPDATE forms SET submission_count = submission_count + CASE id WHEN 9 THEN 1 WHEN 10 THEN 1 ELSE 0 END WHERE id IN (9,10)',
    ]);
    expect(updates(submission(9, [], SPAM))).toEqual([]);
  });
});
