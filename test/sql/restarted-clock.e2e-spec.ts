import { firstUuidAt, formatUuid } from '../../src/platform/kernel/uuid.js';
import { HOUR_MS } from '../support/clock.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { Service } from '../support/service.js';
import { Inbox, json } from '../support/submit.js';

let database: TestDatabase;
let service: Service;
beforeEach(async () => {
  database = await createDatabase();
  service = await Service.start(database.settings);
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

it('A submission after a restart is the newest, though the clock was set back meanwhile', async () => {
  const inbox = await Inbox.open(service);
  await inbox.accept(json([['n', '1']]));
  const ahead = firstUuidAt(new Date(Date.now() + HOUR_MS));
  await service.query('UPDATE submissions SET id = ?', [ahead]);
  await service.close();

  service = await Service.start(database.settings);
  const later = await inbox.at(service).accept(json([['n', '2']]));

  expect((await inbox.at(service).all()).map(({ id }) => id)).toEqual([later, formatUuid(ahead)]);
});
