import { beforeEach, describe, expect, it } from '@jest/globals';
import { makeClient, makeClientToken, makeForm, makeToken, type FormBody } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';
import { listed, pathOf, submit } from './support/submissions.js';

const service = useService();
let owner: Caller;
let form: FormBody;
beforeEach(async () => {
  owner = await service().openAccount();
  form = await makeForm(owner);
});

describe('Whose submissions are seen', () => {
  it('are those of the forms a client is given', async () => {
    const hidden = await makeForm(owner);
    const client = await makeClient(owner, { form_ids: [form.id] });
    const jane = service().as(await makeClientToken(owner, client));
    const id = await submit(service(), form, { m: 'seen' });
    const other = await submit(service(), hidden, { m: 'not seen' });

    expect((await listed(jane, form)).submissions).toMatchObject([{ id, values: { m: 'seen' } }]);
    await jane.get(`${pathOf(form)}/${id}`).expect(200);
    for (const path of [pathOf(hidden), `${pathOf(hidden)}.csv`, `${pathOf(hidden)}/${other}`]) {
      await jane.get(path).expect(refusal(404, 'form_not_found'));
    }
    await jane.get(`${pathOf(form)}/${other}`).expect(refusal(404, 'submission_not_found'));
  });

  it('are never those of another account', async () => {
    const id = await submit(service(), form, { m: 'mine' });
    const stranger = await service().openAccount();
    for (const path of [
      pathOf(form),
      `${pathOf(form)}/${id}`,
      `${pathOf(form)}.ndjson`,
      `/api/v1/forms/${form.identifier}/value_exists?field=m&value=mine`,
    ]) {
      await stranger.get(path).expect(refusal(404, 'form_not_found'));
    }
    await stranger.delete(`${pathOf(form)}/${id}`).expect(refusal(404, 'form_not_found'));
    await stranger
      .delete(`${pathOf(form)}?field=m&value=mine`)
      .expect(refusal(404, 'form_not_found'));
    expect((await listed(owner, form)).count).toBe(1);
  });

  it('takes the right to read, and another to change', async () => {
    const id = await submit(service(), form, { m: 'hello' });
    const path = `${pathOf(form)}/${id}`;
    const as = async (...rights: string[]) =>
      service().as((await makeToken(owner, { rights })).token);
    const [others, reader] = [
      await as('forms:read', 'forms:write', 'submissions:write'),
      await as('submissions:read'),
    ];
    const exists = `/api/v1/forms/${form.identifier}/value_exists?field=m&value=hello`;
    for (const to of [pathOf(form), path, `${path}/sender`, exists, `${pathOf(form)}.csv`]) {
      await others.get(to).expect(refusal(403, 'missing_right'));
      await reader.get(to).expect(200);
    }
    await reader.patch(path, { submission: { spam: true } }).expect(refusal(403, 'missing_right'));
    await reader
      .delete(`${pathOf(form)}?field=m&value=hello`)
      .expect(refusal(403, 'missing_right'));
    await reader.delete(path).expect(refusal(403, 'missing_right'));
    await others.delete(path).expect(200);
  });
});
