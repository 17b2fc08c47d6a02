import { Repository } from 'typeorm';
import type { Schemas } from '../../build/api.js';
import { QueuedChange, Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { makeUuid, parseUuid } from '../../src/platform/kernel/uuid.js';
import { deliveriesPath } from '../support/deliveries.js';
import { HOUR_MS, useClock } from '../support/clock.js';
import { elementsOf, textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const mails = useMailServer();
const clock = useClock();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: mails.url, WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' }));
let receiver: WebhookReceiver;
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  owner = await service().openAccount();
  form = await owner.makeForm({ webhook_url: receiver.url, notify_owner_on_submission: false });
});
afterEach(() => receiver.close());

const upkeep = () => service().upkeep();

/** Sends what is due now, and what is due in an hour. */
async function sendTwice(): Promise<void> {
  await service().sendDue();
  clock.forward(HOUR_MS);
  await service().sendDue();
}

/** Returns the outcomes of deliveries from the API, by default in all forms. */
async function told(of: FormBody | null = form, caller = owner, query = '') {
  const path = of ? `/api/v1/forms/${of.identifier}/statistics` : '/api/v1/statistics';
  const { totals, buckets } = (await caller.read(`${path}?${query}`)) as Schemas['StatisticsDto'];
  for (const kind of ['mails', 'calls'] as const) {
    const sum = (of: keyof Schemas['OutcomesDto']) => buckets.reduce((all, each) => all + each[kind][of], 0);
    expect(totals[kind]).toEqual({ delivered: sum('delivered'), late: sum('late'), failed: sum('failed') });
  }
  return { mails: totals.mails, calls: totals.calls };
}

const outcomes = (delivered: number, late = 0, failed = 0) => ({ delivered, late, failed });
const NONE = outcomes(0);

describe('What became of the mails and calls of a form', () => {
  it('is counted once, when it is settled: delivered, late or failed', async () => {
    await service().submit(form);
    await upkeep();
    expect(await told()).toEqual({ mails: NONE, calls: NONE });
    await service().sendDue();
    receiver.behaviour = answers(500);
    await service().deliver(form);
    await Promise.all([upkeep(), upkeep()]);
    expect((await told()).calls).toEqual(outcomes(1));

    clock.forward(HOUR_MS);
    receiver.behaviour = answers(200);
    await service().sendDue();
    receiver.behaviour = answers(410);
    await service().deliver(form);
    await upkeep();
    await upkeep();

    expect(await told()).toEqual({ mails: NONE, calls: outcomes(1, 1, 1) });
  });

  it('has mails apart from calls', async () => {
    await service().deliver(await owner.makeForm({ notify_owner_emails: 'kim@example.com' }));
    await upkeep();

    expect(await told(null)).toEqual({ mails: outcomes(1), calls: NONE });
  });

  it('moves from failed to late once it is delivered after all', async () => {
    receiver.behaviour = answers(410);
    await service().deliver(form);
    await upkeep();
    expect((await told()).calls).toEqual(outcomes(0, 0, 1));

    receiver.behaviour = answers(200);
    await owner.patch(`/api/v1/forms/${form.identifier}/webhook`, { webhook: { enabled: true } });
    const path = `/api/v1/forms/${form.identifier}/redeliveries` as const;
    await owner.post(path, { state: 'failed' }).expect(200);
    await sendTwice();
    await upkeep();

    expect((await told()).calls).toEqual(outcomes(0, 1));
  });

  it('stays delivered, whatever comes of sending it again', async () => {
    const id = await service().deliver(form);
    const call = await owner.webhookCallOf(form, id);
    for (const status of [500, 410, 200]) {
      receiver.behaviour = answers(status);
      await owner.post(`${deliveriesPath(form, id)}/${call.id}/attempts`);
    }
    await upkeep();

    expect((await told()).calls).toEqual(outcomes(1));
  });

  it('is late when the try that failed was one that a person asked for', async () => {
    receiver.behaviour = answers(500);
    const id = await service().submit(form);
    const call = await owner.webhookCallOf(form, id);
    await owner.post(`${deliveriesPath(form, id)}/${call.id}/attempts`);
    receiver.behaviour = answers(200);
    await sendTwice();
    await upkeep();

    expect((await told()).calls).toEqual(outcomes(0, 1));
  });

  it('is counted once when the transaction that counts fails', async () => {
    await service().deliver(form);
    const unitOfWork = service().app.get(UnitOfWork);
    const run = unitOfWork.run.bind(unitOfWork);
    let left = 0;
    jest.spyOn(unitOfWork, 'run').mockImplementation((work) =>
      run(async (tx) => {
        const done = await work(tx);
        const rows = await tx.query<{ n: number | string }[]>('SELECT COUNT(*) AS n FROM counter_changes');
        if (left++ === 0 && Number(rows[0]?.n) === 0) throw new Error('killed');
        if (Number(rows[0]?.n) > 0) left = 0;
        return done;
      }),
    );
    await upkeep().catch(() => undefined);
    jest.restoreAllMocks();
    await upkeep();

    expect((await told()).calls).toEqual(outcomes(1));
  });

  it('is counted by no second instance that has read the same', async () => {
    await service().deliver(form);
    const spy = jest.spyOn(Repository.prototype, 'delete');
    spy.mockImplementation(async function (this: Repository<object>, found) {
      if (this.target === QueuedChange) {
        spy.mockRestore();
        await this.delete(found); // as the other instance does
      }
      return this.manager.delete(this.target, found);
    });
    await upkeep();
    expect((await told()).calls).toEqual(NONE);
    await upkeep();
    expect((await told()).calls).toEqual(outcomes(1));
  });

  it('is counted where the submission was received, for those who see the form', async () => {
    const other = await owner.makeForm({ webhook_url: receiver.url });
    await service().submit(form);
    await service().submit(other);
    clock.forward(40 * 24 * HOUR_MS);
    await service().sendDue();
    await upkeep();
    const asClient = await owner.makeClientCaller({ form_ids: [form.id] });

    expect((await told(null)).calls).toEqual(outcomes(2));
    expect((await told(null, asClient)).calls).toEqual(outcomes(1));
    expect((await told(null, await service().openAccount())).calls).toEqual(NONE);
  });
});

describe('A submission with a mail or a call that failed', () => {
  let jane: Browser;
  beforeEach(async () => {
    jane = await service().makeBrowser(owner);
  });

  const listOf = async (q: string) => (await jane.get(`/inbox?${new URLSearchParams({ q }).toString()}`)).text;
  const isFailed = 'Not delivered';

  it('says so in lists and is found by it, until it is delivered', async () => {
    const fine = await service().deliver(form);
    receiver.behaviour = answers(410);
    const failed = await service().deliver(form);

    const page = await listOf('is:failed');
    expect(page).toContain(failed);
    expect(page).toContain(isFailed);
    expect(page).not.toContain(fine);
    expect((await listOf('')).split(`>${isFailed}<`)).toHaveLength(2);
    const { body } = await owner.get(`${pathOf(form)}?q=is:failed`).expect(200);
    expect((body as { submissions: { id: string }[] }).submissions.map(({ id }) => id)).toEqual([failed]);

    receiver.behaviour = answers(200);
    const { id } = await owner.webhookCallOf(form, failed);
    await owner.patch(`/api/v1/forms/${form.identifier}/webhook`, { webhook: { enabled: true } });
    await owner.post(`${deliveriesPath(form, failed)}/${id}/attempts`).expect(200);
    expect(await listOf('is:failed')).not.toContain(failed);
  });

  it('is found among many too, once', async () => {
    const id = await service().submit(form, { name: 'Ann' });
    await service().submit(form, { name: 'Ben' });
    const deliveries = Array.from({ length: 2_001 }, () => {
      const planned = { kind: 'webhook', recipient: receiver.url } as const;
      const delivery = Delivery.create(form.id, parseUuid(id), planned, new Date());
      return Object.assign(delivery, { id: makeUuid(), state: 'failed', nextAttemptAt: null });
    });
    const rows = service().repository(Delivery);
    await rows.save(deliveries, { chunk: 200 });

    const page = await listOf('is:failed');
    expect(page.split('class="row"')).toHaveLength(2);
    expect(page).toContain(id);
  });

  it('is what a bar of the statistics leads to, beside figures for mails and calls', async () => {
    await service().deliver(form);
    receiver.behaviour = answers(410);
    const failed = await service().deliver(form);
    await upkeep();

    for (const path of ['/statistics', `/forms/${form.identifier}/activity`]) {
      const { text } = await jane.get(path);
      expect(textOf(text, 'h2')).toContain('Webhook calls');
      expect(textOf(text, 'h2')).not.toContain('Emails');
      const calls = text.slice(text.indexOf('Webhook calls'));
      expect(textOf(calls, 'dd').slice(0, 3)).toEqual(['1', '0', '1']);
      const links = elementsOf(calls).map(({ attributes: { href = '' } }) => href);
      const [list = ''] = links.filter((href) => href.includes('is%3Afailed'));
      expect((await jane.get(list)).text).toContain(failed);
      const bars = elementsOf(calls).filter(({ attributes }) => attributes.tabindex === '-1');
      expect(bars.map(({ attributes }) => attributes.href === list)).toEqual([false, true]);
    }
  });
});
