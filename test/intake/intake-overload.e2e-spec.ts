import { SubmissionWriter } from '../../src/submissions/storage/submission-writer.js';
import { lockForm } from '../support/lock-form.js';
import { RawClient, requestText } from '../support/raw-client.js';
import { useService } from '../support/service.js';
import { Inbox, json, urlencoded } from '../support/submit.js';
import { until } from '../support/until.js';

const LARGE = 250 * 1024;
const MAX_WAITING_BYTES = 4 * LARGE;
/** Number of submissions that fill the queue, and one that is being stored. */
const ENOUGH = MAX_WAITING_BYTES / LARGE + 1;

const AT_ONCE = 40;

const service = useService({ MAX_WAITING_BYTES: String(MAX_WAITING_BYTES) });

it('When too much waits to be stored, the next gets 503, and what waits is kept', async () => {
  const inbox = await Inbox.open(service());
  const { app } = service();
  const one = urlencoded([['a', '1']]);
  const large = urlencoded([['a', 'x'.repeat(LARGE)]]);
  await inbox.accept(one); // the first one also makes the signing key
  const release = await lockForm(service(), inbox.form.id);

  const waiting = Array.from({ length: ENOUGH }, () => inbox.submit(large));
  await until(() => app.get(SubmissionWriter).isOverloaded);
  for (const headers of [{ Accept: 'text/html' }, { Accept: '*/*' }]) {
    const answer = await inbox.submit({ ...one, headers });
    expect(answer.status).toBe(503);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  const unread = await RawClient.to(service().url);
  unread.write(requestText(`/f/${inbox.form.identifier}`, ['Content-Length: 3'])); // and no body
  await unread.until(/^HTTP\/1\.1 503 /);
  await unread.abort();

  await release();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect((await inbox.submit(one)).status).toBe(200);
  expect(await inbox.count()).toBe(ENOUGH + 2);
});

it('Submissions that arrive at once share transactions', async () => {
  const inbox = await Inbox.open(service());
  const { type, body } = json([['a', '1']]);
  const head = [`Content-Type: ${type}`, `Content-Length: ${String(body).length}`];
  const text = requestText(`/f/${inbox.form.identifier}`, head, String(body));
  const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => RawClient.to(service().url)));
  const submit = (answer: RegExp) =>
    Promise.all(
      clients.map((client) => {
        client.write(text);
        return client.until(answer);
      }),
    );
  const transactions = () =>
    service()
      .app.get(SubmissionWriter)
      .batchSizes.counts.reduce((sum, count) => sum + count);
  await submit(/^HTTP\/1\.1 200 /); // connections are taken one by one
  const before = transactions();
  await submit(/^HTTP\/1\.1 200 .*HTTP\/1\.1 200 /s);

  expect(transactions() - before).toBeLessThanOrEqual(AT_ONCE / 4);
  expect(await inbox.count()).toBe(2 * AT_ONCE);
  await Promise.all(clients.map((client) => client.abort()));
});
