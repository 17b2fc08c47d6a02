import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeClient } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';

const CLIENTS = '/api/v1/clients';

const service = useService();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount();
});

describe('The e-mail address of a client', () => {
  const taken = refusal(409, 'client_email_taken', 'client.email');

  it('belongs to one client of the account only, in any case of letters', async () => {
    await makeClient(owner, { email: 'Jane@example.com' });
    const other = await makeClient(owner, { email: 'other@example.com' });

    for (const email of ['Jane@example.com', 'jane@example.com', 'JANE@EXAMPLE.COM']) {
      await owner.post(CLIENTS, { client: { name: 'Jane', email } }).expect(taken);
      await owner.patch(`${CLIENTS}/${other}`, { client: { email } }).expect(taken);
    }
  });

  it('may be written anew by the same client, and be used again after a deletion', async () => {
    const id = await makeClient(owner, { email: 'jane@example.com' });

    const client = { email: 'JANE@example.com' };
    const { body } = await owner.patch(`${CLIENTS}/${id}`, { client }).expect(200);
    expect(body).toMatchObject(client);
    await owner.delete(`${CLIENTS}/${id}`).expect(200);
    await makeClient(owner, client);
  });

  it('may belong to a client of another account as well', async () => {
    await makeClient(owner, { email: 'jane@example.com' });
    await makeClient(await service().openAccount(), { email: 'jane@example.com' });
  });

  it('goes to exactly one of 20 clients that are created at once', async () => {
    const create = (_: unknown, i: number) => {
      const email = i % 2 === 0 ? 'jane@example.com' : 'Jane@example.com';
      return owner.post(CLIENTS, { client: { name: 'Jane', email } });
    };

    const answers = await Promise.all(Array.from({ length: 20 }, create));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
  });
});
