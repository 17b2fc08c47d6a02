import { lockForm } from '../support/lock-form.js';
import { onServer } from '../support/database-matrix.js';
import { useService } from '../support/service.js';
import { Inbox, json } from '../support/submit.js';

const service = useService();
const one = json([['a', '1']]);

/** The embedded database has one writer at a time, and no rows that could be locked. */
describe('A form whose row another transaction locks', () => {
  onServer('does not fail the visitors of another, nor delay them until it is unlocked', async () => {
    const [locked, free] = [await Inbox.open(service()), await Inbox.open(service())];
    await free.accept(one);
    const release = await lockForm(service(), locked.form.id);

    const waiting = locked.submit(one);
    const together = await free.submit(one);
    const later = await Promise.all(Array.from({ length: 10 }, () => free.submit(one)));
    const stillWaiting = await Promise.race([waiting, free.submit(one).then(() => null)]);
    await release();

    expect([together, ...later].map(({ status }) => status)).toEqual(Array(11).fill(200));
    expect(stillWaiting).toBeNull();
    expect((await waiting).status).toBe(200);
    expect(await free.count()).toBe(13);
    expect(await locked.count()).toBe(1);
  });
});
