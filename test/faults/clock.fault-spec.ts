import { createDatabase } from '../support/database.js';
import { Service } from '../support/service.js';
import { until } from '../support/until.js';
import { answers } from '../support/webhook-receiver.js';
import { inFull } from './kit/duration.js';
import { useServices } from './kit/scene.js';
import { expectAllTaken, expectNothingLost } from './kit/tally.js';

const HOUR_MS = 3_600_000;
const ENOUGH = inFull(500, 50);

const RealDate = Date;
let aheadMs = 0;
/** The clock of this process, which the test moves as a time server does to a machine's. */
const now = () => RealDate.now() + aheadMs;
globalThis.Date = class extends RealDate {
  constructor(...given: [] | ConstructorParameters<DateConstructor>) {
    if (given.length === 0) super(now());
    else super(...given);
  }

  static override now = now;
} as DateConstructor;
const { later, receive, sendTo } = useServices();

describe('When the clock is moved by an hour', () => {
  it('D-11: nothing is lost, out of order, held up or called for in a storm', async () => {
    const database = await createDatabase();
    later(() => database.drop());
    const settings = { ...database.settings, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' };
    const service = await Service.start(settings);
    later(() => service.close());
    later(() => {
      globalThis.Date = RealDate;
    });
    const [receiver, refuser] = [await receive(), await receive()];
    refuser.behaviour = answers(500);
    const owner = await service.openAccount();
    const form = await owner.makeForm({ webhook_url: receiver.url });
    const unlucky = await owner.makeForm({ webhook_url: refuser.url });
    for (let i = 0; i < 3; i++) {
      await service.submit(unlucky, { i: String(i) });
    }
    await until(() => refuser.calls.length === 3);
    const ledger = sendTo(form.identifier, [service]);
    ledger.start(1); // one after another, so that their order is known

    const delivered = () => new Set(receiver.calls.map(({ id }) => id)).size;
    const moves = [HOUR_MS, 0, -HOUR_MS, HOUR_MS, 0];
    for (const to of moves) {
      await ledger.untilAcknowledged(ENOUGH);
      aheadMs = to;
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
