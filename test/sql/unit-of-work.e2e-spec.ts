import { Account } from '../../src/accounts/account.entity.js';
import { AccountsService } from '../../src/accounts/accounts.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { onServer } from '../support/database-matrix.js';
import { useService, useOwner } from '../support/service.js';

/** The embedded database has one writer at a time: nothing there can deadlock. */

const service = useService();
const owner = useOwner(service);

const unitOfWork = () => service().app.get(UnitOfWork);

/** Something that one side waits for and the other lets happen. */
function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => (give = resolve));
  return { given, give };
}

const accountNames = async (): Promise<string[]> =>
  (await service().app.get(AccountsService).list()).map(({ name }) => name);

describe('A transaction that fails late', () => {
  it('takes only its own rows with it, and nobody sees them before', async () => {
    const written = signal();
    const refused = signal();
    const failing = unitOfWork().run(async (tx) => {
      await tx.save(Account.create('A', null, new Date()));
      written.give();
      await refused.given;
      throw new Error('A fails late');
    });
    await written.given;

    const succeeding = owner.makeForm({ name: 'B' });
    const opening = service().openAccount('B');
    const seen = await accountNames();
    refused.give();

    await expect(failing).rejects.toThrow('A fails late');
    expect(seen).not.toContain('A');
    const { identifier } = await succeeding;
    await opening;
    await owner.get(`/api/v1/forms/${identifier}`).expect(200);
    expect(await accountNames()).toContain('B');
    expect(await accountNames()).not.toContain('A');
  });

  it('does not swallow later ones when the database has taken it back by itself', async () => {
    // As SQLite does when a commit finds the disk full.
    const takenBack = unitOfWork().run(async (tx) => {
      await tx.query('ROLLBACK');
      throw new Error('taken back');
    });
    await expect(takenBack).rejects.toThrow('taken back');
    await expect(unitOfWork().run(() => Promise.reject(new Error('refused')))).rejects.toThrow();

    const { identifier } = await owner.makeForm();

    await owner.get(`/api/v1/forms/${identifier}`).expect(200);
  });

  it('does not keep later ones from being run', async () => {
    await expect(unitOfWork().run(() => Promise.reject(new Error('refused')))).rejects.toThrow();

    await owner.makeForm();
  });
});

it('A rule that refuses the second half of a request leaves nothing of the first half', async () => {
  const client = { name: 'Jane', email: 'jane@example.com', form_ids: [2_000_000_000] };

  await owner.post('/api/v1/clients', { client }).expect(422);

  expect(await owner.read('/api/v1/clients')).toEqual([]);
});

it('Many transactions at once are all carried out, each by itself', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `Form ${n}`);

  await Promise.all(names.map((name) => owner.makeForm({ name })));

  const { body } = await owner.get('/api/v1/forms').expect(200);
  const listed = (body.forms as { name: string }[]).map(({ name }) => name);
  expect(listed.sort()).toEqual([...names].sort());
});

describe('A deadlock', () => {
  onServer('is run again, so that both transactions succeed', async () => {
    const accounts = service().app.get(AccountsService);
    const { account: first } = await accounts.open('First', null);
    const { account: second } = await accounts.open('Second', null);
    let runs = 0;
    const rename = (
      [one, other]: Account[],
      name: string,
      mine: ReturnType<typeof signal>,
      theirs: ReturnType<typeof signal>,
    ) =>
      unitOfWork().run(async (tx) => {
        runs++;
        await tx.update(Account, { id: one?.id }, { email: `${name}@example.com` });
        mine.give();
        await theirs.given;
        await tx.update(Account, { id: other?.id }, { name });
      });
    const left = signal();
    const right = signal();

    await Promise.all([rename([first, second], 'left', left, right), rename([second, first], 'right', right, left)]);

    expect(runs).toBe(3);
    expect(await accounts.get(first.id)).toMatchObject({ name: 'right' });
    expect(await accounts.get(second.id)).toMatchObject({ name: 'left' });
  });
});
