import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from './support/database.js';
import { makeForm, type FormBody } from './support/make.js';
import { Program } from './support/program.js';
import { Service, type Caller } from './support/service.js';
import { pathOf, submit, submitSpam } from './support/submissions.js';

let database: TestDatabase;
let service: Service;
let owner: Caller;
beforeAll(async () => {
  database = await createDatabase();
  service = await Service.start(database.settings);
  owner = await service.openAccount();
});
afterAll(async () => {
  await service.app.close();
  await database.drop();
});

async function doctor(...words: string[]) {
  const program = Program.cli(database.settings, 'doctor', ...words);
  const code = await program.ended;
  return { code, stdout: program.stdout, stderr: program.stderr };
}

const moveCount = ({ id }: FormBody, by: number) =>
  service.app
    .get(DataSource)
    .query('UPDATE forms SET submission_count = submission_count + ? WHERE id = ?', [by, id]);

/** A form with a submission of every kind, and one that was deleted. */
async function makeUsedForm(): Promise<FormBody> {
  const form = await makeForm(owner);
  await submit(service, form, { m: 'counts' });
  await submitSpam(service, form, { m: 'spam' });
  const trashed = await submit(service, form, { m: 'trashed' });
  const path = `${pathOf(form)}/${trashed}`;
  await owner.patch(path, { submission: { trash: true } }).expect(200);
  const gone = await submit(service, form, { m: 'gone' });
  await owner.delete(`${pathOf(form)}/${gone}`).expect(200);
  return form;
}

describe('The doctor', () => {
  it('finds nothing wrong beside a running service, and says what it looked at', async () => {
    await makeUsedForm();
    const deleted = await makeUsedForm();
    await owner.delete(`/api/v1/forms/${deleted.identifier}`).expect(200);

    const { code, stdout, stderr } = await doctor('--json');

    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual([
      {
        name: 'durability',
        state: expect.stringMatching(/^(ok|warning)$/),
        detail: expect.stringMatching(
          database.kind === 'embedded'
            ? /^journal_mode=wal synchronous=2$/
            : /^innodb_flush_log_at_trx_commit=\d log_bin=\d sync_binlog=\d/,
        ),
      },
      {
        name: 'submission counts',
        state: 'ok',
        detail: expect.stringMatching(/^\d+ forms count what they have$/),
      },
      { name: 'deliveries', state: 'ok', detail: 'Nothing that is due waits.' },
      {
        name: 'mail',
        state: 'warning',
        detail: 'SMTP_URL is not set: mails are written to files.',
      },
    ]);
  });

  it.each([1, -1])(
    'fails when a count is off by %d, names the form, and mends nothing',
    async (by) => {
      const form = await makeUsedForm();
      await moveCount(form, by);

      const first = await doctor();
      const second = await doctor('--json');
      await moveCount(form, -by);

      expect(first).toMatchObject({ code: 1, stderr: 'Failed: submission counts.\n' });
      const told = `${form.identifier} says ${1 + by} and has 1`;
      expect(first.stdout).toContain(told);
      expect(second.code).toBe(1);
      expect(JSON.parse(second.stdout)).toContainEqual({
        name: 'submission counts',
        state: 'failed',
        detail: told,
      });
      expect((await doctor()).code).toBe(0);
    },
  );
});
