import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeForm } from './support/make.js';
import { useService, type Caller } from './support/service.js';

const service = useService();
let owner: Caller;
beforeEach(async () => {
  owner = await service().openAccount();
});

describe('Listing forms', () => {
  it('answers an object with the one key forms, oldest first, each entry with exactly four keys', async () => {
    const first = await makeForm(owner, { name: 'First' });
    const second = await makeForm(owner, { name: 'Second' });

    const { body } = await owner.get('/api/v1/forms').expect(200);

    expect(body).toEqual({
      forms: [
        { id: first.id, name: 'First', identifier: first.identifier, submission_count: 0 },
        { id: second.id, name: 'Second', identifier: second.identifier, submission_count: 0 },
      ],
    });
  });

  it('takes a POST without a body for the same request', async () => {
    const form = await makeForm(owner);

    for (const path of ['/api/v1/forms', '/api/v1/forms/']) {
      const { body } = await owner.post(path).expect(200);
      expect(body.forms).toEqual([expect.objectContaining({ identifier: form.identifier })]);
    }
  });
});
