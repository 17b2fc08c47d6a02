import { DataSource } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { Attempt, Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { DeliveryQueueRepository } from '../../src/deliveries/queue/delivery-queue.repository.js';
import { makeUuid } from '../../src/platform/kernel/uuid.js';
import { besideTransaction } from '../support/portable-sql.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { until } from '../support/until.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service, 'Shop', 'shop@example.com');
const form = useForm(owner);

const queue = () => service().app.get(DeliveryQueueRepository);
const unitOfWork = () => service().app.get(UnitOfWork);

/** The ids of what is to be delivered for the form. */
const idsOf = async ({ id: formId }: FormBody): Promise<Buffer[]> =>
  (await service().repository(Delivery).findBy({ formId })).map(({ id }) => id);

describe('Deliveries that several workers want at once', () => {
  it('go to one of them each', async () => {
    for (let i = 0; i < 5; i++) await service().submit(form);
    const ids = await idsOf(form);
    const claims = await Promise.all(
      [1, 2, 3, 4].map((worker) =>
        unitOfWork().run((tx) => queue().in(tx).claim(ids, 'pending', Buffer.alloc(16, worker))),
      ),
    );

    const taken = claims.flat().map(({ id }) => id.toString('hex'));
    expect(taken.sort()).toEqual(ids.map((id) => id.toString('hex')).sort());
  });

  it('are settled by the one that still has the lease, and by nobody else', async () => {
    await service().submit(form);
    const ids = await idsOf(form);
    const [mine, other] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)];
    const [delivery] = await unitOfWork().run((tx) => queue().in(tx).claim(ids, 'pending', mine));
    if (!delivery) throw new Error('Nothing was claimed.');
    const settle = (token: Buffer) =>
      unitOfWork().run((tx) =>
        queue()
          .in(tx)
          .settle(
            delivery,
            { token, dueAt: delivery.nextAttemptAt },
            {
              deliveryId: delivery.id,
              at: new Date(),
              durationMs: 1,
              trigger: 'scheduled',
              outcome: 'accepted',
              code: 250,
              answer: null,
            },
            [],
          ),
      );

    expect(await settle(other)).toBe(false);
    expect(await settle(mine)).toBe(true);
  });
});

it('A submission that is erased while its delivery is being noted leaves no attempt behind', async () => {
  const id = await service().submit(form);
  const [deliveryId] = await idsOf(form);
  if (!deliveryId) throw new Error('Nothing is to be delivered.');
  const source = service().app.get(DataSource);
  const attempt = { deliveryId, at: new Date(), durationMs: 1, trigger: 'scheduled' } as const;
  let erased: Promise<unknown> = Promise.resolve();
  await unitOfWork().run(async (tx) => {
    await tx.update(Delivery, { id: deliveryId }, { scheduledAttempts: 1 });
    const path = `/api/v1/forms/${form.identifier}/submissions/${id}` as const;
    erased = besideTransaction(() => owner.delete(path).expect(200).then());
    if (source.options.type !== 'better-sqlite3') {
      await besideTransaction(() => until(() => isWaiting(source)));
    }
    const outcome = { outcome: 'refused', code: 550, answer: 'no such person' } as const;
    await tx.insert(Attempt, { ...attempt, ...outcome, id: makeUuid() });
  });
  await erased;

  expect(await source.getRepository(Attempt).countBy({ deliveryId })).toBe(0);
});

/** Whether a statement of this database waits for the rows of deliveries. */
async function isWaiting(source: DataSource): Promise<boolean> {
  const rows: { info: string | null }[] = await source.query(
    'SELECT info AS info FROM information_schema.processlist WHERE db = DATABASE()',
  );
  return rows.some(({ info }) => /^DELETE FROM .?deliveries/i.test(info ?? ''));
}
