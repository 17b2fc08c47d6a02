import { DatabaseUnavailable } from '../../src/platform/database/sql.js';
import { SubmissionWriter } from '../../src/submissions/storage/submission-writer.js';
import { WriterOverloaded } from '../../src/submissions/model/submission.errors.js';
import { useService } from '../support/service.js';
import { storedNames } from '../support/stored-files.js';
import { Inbox, multipart } from '../support/submit.js';

const service = useService({ WORKERS: 'off' });
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});
/** Sends a file whose submission ends like this; tells the status, and how many files more there are. */
async function sendFile(store: () => Promise<void>) {
  jest.spyOn(service().app.get(SubmissionWriter), 'store').mockImplementation(store);
  const before = await storedNames(service());
  const { status } = await inbox.submit(multipart([['a', '1']], [{ field: 'cv', name: 'cv.pdf', bytes: 'a file' }]));
  return { status, more: (await storedNames(service())).length - before.length };
}

describe('The files of a submission', () => {
  it('stay while it is not known whether it was stored', async () => {
    expect(await sendFile(() => Promise.reject(new DatabaseUnavailable()))).toEqual({ status: 503, more: 1 });
    expect(await sendFile(() => Promise.reject(new Error('nobody knows')))).toEqual({ status: 500, more: 1 });
  });

  it('go when it was refused', async () => {
    expect(await sendFile(() => Promise.reject(new WriterOverloaded()))).toEqual({ status: 503, more: 0 });
  });

  it('stay with it when it was stored', async () => {
    expect(await sendFile(() => Promise.resolve())).toEqual({ status: 200, more: 1 });
  });
});
