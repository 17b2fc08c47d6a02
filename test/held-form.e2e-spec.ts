import { describe, expect } from '@jest/globals';
import { holdForm } from './support/hold-form-lock.js';
import { onServer } from './support/database-matrix.js';
import { useService } from './support/service.js';
import { Inbox, json } from './support/submit.js';

const service = useService();
const one = json([['a', '1']]);

/** The embedded database has one writer at a time, and no rows that could be held. */
describe('A form whose row somebody holds', () => {
  onServer('does not fail the visitors of another, nor keep them until it is free', async () => {
    const [held, free] = [await Inbox.open(service()), await Inbox.open(service())];
    await free.accept(one);
    const release = await holdForm(service(), held.form.id);

    const waiting = held.submit(one);
    const together = await free.submit(one);
    const later = await Promise.all(Array.from({ length: 10 }, () => free.submit(one)));
    const stillWaiting = await Promise.race([waiting, free.submit(one).then(() => null)]);
    await release();

    expect([together, ...later].map(({ status }) => status)).toEqual(Array(11).fill(200));
    expect(stillWaiting).toBeNull();
    expect((await waiting).status).toBe(200);
    expect(await free.count()).toBe(13);
    expect(await held.count()).toBe(1);
  });
});
