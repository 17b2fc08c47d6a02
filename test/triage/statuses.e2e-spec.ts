import { useForm, useOwner, useService } from '../support/service.js';
import { pathOf } from '../support/submissions.js';

const service = useService();
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });

it('A submission has one of the statuses of its form', async () => {
  const statuses = 'Contacted,  won,lost';
  const settings = `/api/v1/forms/${form.identifier}/statuses`;
  await owner.put(settings, { statuses }).expect(200, { statuses: 'contacted,won,lost' });
  const id = await service().submit(form, { name: 'Jane' });
  const tags = `${pathOf(form)}/${id}/tags`;

  await owner.put(tags, { tags: ['urgent', 'contacted'] }).expect(200);
  const changes = { ids: [id], changes: { add_tag: 'won' } };
  await owner.post('/api/v1/submissions/bulk', changes).expect(200);

  await owner.get(tags).expect(200, { tags: ['urgent', 'won'] });
  await owner.put(tags, { tags: ['won', 'urgent', 'lost'] }).expect(200, { tags: ['lost', 'urgent'] });
});

it('A status is chosen on the page of a submission, and taken back by the same button', async () => {
  await owner.put(`/api/v1/forms/${form.identifier}/statuses`, { statuses: 'won,lost' });
  const id = await service().submit(form, { name: 'Jane' });
  const person = await service().makeBrowser(owner);
  const path = `/inbox/${form.identifier}/${id}`;

  const choose = (tags: string, shown: string) => person.post(`${path}/tags`, { tags, shown });
  await choose('won', '');
  await choose('lost', 'won');
  expect(await owner.read(`${pathOf(form)}/${id}/tags`)).toEqual({ tags: ['lost'] });
  expect((await person.get(path)).text).toMatch(/aria-pressed="true"[^>]*>lost</);
  await choose('', 'lost');
  expect(await owner.read(`${pathOf(form)}/${id}/tags`)).toEqual({ tags: [] });
});

it('A form takes at most 10 statuses, without quotes', async () => {
  const settings = `/api/v1/forms/${form.identifier}/statuses`;
  const many = Array.from({ length: 11 }, (_, at) => `status ${at}`).join();

  for (const statuses of [many, 'won,"lost"', 'won,,lost', 'w'.repeat(41)]) {
    await owner.put(settings, { statuses }).expect(422);
  }
  await owner.get(settings).expect(200, { statuses: null });
});
