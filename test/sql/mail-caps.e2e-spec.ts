import { ReadManager } from '../../src/platform/database/sql.js';
import { onEmbedded } from '../support/database-matrix.js';
import { useService } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
onEmbedded('What a cap on mails looks at does not grow with the deliveries there are', async () => {
  const owner = await service().openAccount();
  const form = await owner.makeForm({
    notify_submitter: true,
    notify_owner_on_submission: true,
    notify_owner_emails: 'jo@example.org',
  });
  await service().submit(form, { email: 'jane@example.org' });
  const { dataSource } = service().app.get(ReadManager).manager;
  const log = jest.spyOn(dataSource.logger, 'logQuery');

  await service().sendDue();

  const looks = log.mock.calls.filter(([sql]) => /FROM "deliveries".*OFFSET/s.test(sql));
  expect(looks.length).toBe(3);
  for (const [sql, values] of looks) {
    const plan = await dataSource.query<{ detail: string }[]>(`EXPLAIN QUERY PLAN ${sql}`, values);
    expect(sql).toMatch(/LIMIT 1 /);
    const [among, ...each] = plan.map(({ detail }) => detail);
    expect(among).toMatch(/\((?:recipient_key|form_id)=\? AND kind=\? AND state=\? AND id>\? AND id<\?\)$/);
    const inDigest = [expect.stringMatching(/^CORRELATED/), expect.stringMatching(/ COVERING /)];
    expect([[], inDigest]).toContainEqual(each);
  }
});
