import { useService, type FormBody, type Caller } from '../support/service.js';

const ann = 'ann@example.com';

const recipientsOf = async ({ identifier }: FormBody, caller: Caller): Promise<unknown> =>
  (await caller.read(`/api/v1/forms/${identifier}/recipients`)).recipients;

describe('With CONFIRM_RECIPIENTS=all', () => {
  const strict = useService(() => ({ WORKERS: 'off', CONFIRM_RECIPIENTS: 'all' }));

  it('the account itself is asked too', async () => {
    const caller = await strict().openAccount('Shop');
    const own = await caller.makeForm({ notify_owner_emails: ann });

    expect(await recipientsOf(own, caller)).toMatchObject([{ email: ann, confirmed: false }]);
  });
});

describe('With CONFIRM_RECIPIENTS=off', () => {
  const open = useService(() => ({ WORKERS: 'off', CONFIRM_RECIPIENTS: 'off' }));

  it('nobody is asked', async () => {
    const account = await open().openAccount('Shop');
    const id = await account.makeClient({ can_create_forms: true });
    const caller = open().as(await account.makeClientToken(id));
    const own = await caller.makeForm({ notify_owner_emails: ann });

    expect(await recipientsOf(own, account)).toEqual([{ email: ann, confirmed: true, asked_at: null }]);
  });
});
