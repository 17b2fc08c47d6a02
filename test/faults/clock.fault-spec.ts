import { createDatabase, type TestDatabase } from '../support/database.js';
import { makeForm } from '../support/make.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';
import { inFull } from './kit/duration.js';
import { Ledger } from './kit/ledger.js';
import { ShiftedTime } from './kit/shifted-time.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const HOUR_MS = 3_600_000;
const ENOUGH = inFull(500, 50);

const time = ShiftedTime.begin();
let database: TestDatabase;
let service: Service;
let receiver: WebhookReceiver;
let refuser: WebhookReceiver;
let ledger: Ledger;
beforeEach(async () => {
  database = await createDatabase();
  const settings = { ...database.settings, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
  service = await Service.start(settings);
  receiver = await WebhookReceiver.start();
  refuser = await WebhookReceiver.start(answers(500));
});
afterEach(async () => {
  await ledger.stop();
  time.end();
  await service.app.close();
  await receiver.close();
  await refuser.close();
  await database.drop();
});

describe('When the clock is moved by an hour', () => {
  it('D-11: nothing is lost, out of order, held up or called for in a storm', async () => {
    const owner = await service.openAccount();
    const form = await makeForm(owner, { webhook_url: receiver.url });
    const unlucky = await makeForm(owner, { webhook_url: refuser.url });
    for (let i = 0; i < 3; i++) {
      await service
        .anonymous()
        .post(`/f/${unlucky.identifier}`, { i: String(i) })
        .expect(200);
    }
    await until(() => refuser.calls.length === 3);
    ledger = new Ledger([`${service.url}/f/${form.identifier}`]);
    ledger.start(1); // one after another, so that their order is known

    const delivered = () => new Set(receiver.calls.map(({ id }) => id)).size;
    const moves = [HOUR_MS, 0, -HOUR_MS, HOUR_MS, 0];
    for (const to of moves) {
      await ledger.untilAcknowledged(ENOUGH);
      time.to(to);
      const planned = ledger.acknowledged.size;
      await until(() => delivered() >= planned);
    }
    await ledger.untilAcknowledged(ENOUGH);
    await ledger.stop();
    await until(() => delivered() >= ledger.acknowledged.size);

    expectAllTaken(ledger);
    const ids = [...ledger.acknowledged.values()];
    expect(ids).toEqual(ids.toSorted());
    const again = receiver.calls.length - delivered();
    process.stdout.write(
      `D-11 webhooks: planned ${ids.length}, delivered ${delivered()}, called again ${again}; ` +
        `3 that fail, called ${refuser.calls.length} times\n`,
    );
    expect(again).toBe(0);
    expect(refuser.calls.length).toBeLessThanOrEqual(3 * (1 + moves.length));
    const what = `D-11 clock moved by an hour, ${moves.length} times`;
    await expectNothingLost(what, ledger, owner, form.identifier);
  });
});
