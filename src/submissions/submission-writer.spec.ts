import { expect, it } from '@jest/globals';
import { once, EventEmitter } from 'node:events';
import { Config } from '../config/config.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import type { DeliveriesService } from '../deliveries/deliveries.service.js';
import { makeUuid } from '../shared/uuid.js';
import type { Arrival } from './arrivals.js';
import { SubmissionWriter } from './submission-writer.js';
import type { SubmissionsRepository } from './submissions.repository.js';

function arrival(): Arrival {
  return {
    id: makeUuid(),
    formId: 1,
    createdAt: new Date(),
    payload: '[["a","1"]]',
    searchText: '1',
    digests: [],
    spamReason: null,
    sender: { origin: null, referer: null, userAgent: null, address: null },
    files: [],
    debts: [],
    idempotency: null,
    bytes: 512,
  };
}

it('Of a crowd that waits for a small transaction, the next one takes half', async () => {
  const database = new EventEmitter();
  const begun = once(database, 'begun');
  const committed = once(database, 'committed');
  const sizes: number[] = [];
  const unitOfWork: Pick<UnitOfWork, 'runAll'> = {
    runAll: async (statements) => {
      const rows = statements.find(({ sql }) => sql.startsWith('INSERT INTO submissions '))?.rows;
      sizes.push(rows?.length ?? 0);
      database.emit('begun');
      await committed;
    },
  };
  const deliveries: Pick<DeliveriesService, 'owing'> = { owing: () => [] };
  const writer = new SubmissionWriter(
    unitOfWork as UnitOfWork,
    {} as SubmissionsRepository,
    deliveries as DeliveriesService,
    Config.from({}),
  );

  const stored = [writer.store(arrival())];
  await begun;
  for (let n = 0; n < 60; n++) stored.push(writer.store(arrival()));
  database.emit('committed');
  await Promise.all(stored);

  expect(sizes).toEqual([1, 31, 29]);
});
