import { textOf } from '../support/page.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';
import { useReceiver, answers } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
let form: FormBody;
const receiver = useReceiver(answers(200, 'ok'));
const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact', notify_owner_on_submission: false });
});
/** Sends a form of a page. Returns the page where it leads, and its address. */
async function act(path: string, fields: Record<string, string> = {}) {
  const { status, headers } = await jane.post(path, fields);
  expect([status, path]).toEqual([303, path]);
  const { location } = headers as { location: string };
  const { text } = await jane.get(location);
  return { location: location.split('#')[0] ?? '', text };
}

/** Fields that the page of a new destination sends. */
const typed = (more: Record<string, string> = {}) => ({
  ...{ 'destination.name': 'Crew', 'destination.settings.url': receiver.url, kind: 'slack' },
  ...more,
});

const read = (page: string) =>
  textOf(page, 'main')
    .join()
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ');

describe('The pages of destinations', () => {
  it('set what all forms send to, and what a form leaves out', async () => {
    const { location, text } = await act('/destinations', typed());
    expect(location).toMatch(/^\/destinations\/[\da-f-]{36}$/);
    expect(read(text)).toContain('Destinations of all forms');

    const here = `/forms/${form.identifier}/destinations`;
    const list = `/forms/${form.identifier}/settings`;
    const listed = await jane.get(list);
    expect(read(listed.text)).toMatch(/From the account .*Crew .* On .*Exclude/);
    expect(listed.text).toContain(`href="${location}"`);
    const id = location.slice(-36);
    const left = await act(`${here}/${id}/exclude`);
    expect(read(left.text)).toMatch(/Crew .*Excluded.*Include/);

    await service().deliver(form, { topic: 'Sales' });
    expect(receiver.calls).toHaveLength(0);
    await act(`${here}/${id}/include`);
    const sent = await service().deliver(form, { topic: 'Sales' });
    expect(receiver.calls).toHaveLength(1);
    expect((await jane.get(location)).text).toContain(`/inbox/${form.identifier}/${sent}`);
  });

  it('move one up in its list, pause it, start it again and delete it', async () => {
    const here = `/forms/${form.identifier}/destinations`;
    const list = `/forms/${form.identifier}/settings`;
    const first = await act(here, typed({ 'destination.name': 'First' }));
    expect(first.text).not.toContain('Move up');
    const { location, text } = await act(here, typed({ 'destination.name': 'Second' }));
    expect(text).toContain(`action="${location}/up"`);
    expect((await act(`${location}/up`)).location).toBe(location);
    expect(read((await jane.get(list)).text)).toMatch(/Second.*First/);

    expect((await act(`${location}/pause`)).text).toContain('Paused since');
    await service().deliver(form, { topic: 'Missed' });
    expect(receiver.calls.map(({ body }) => body.includes('Missed'))).toEqual([true]);
    expect((await act(`${location}/resume`, { resend: 'true' })).text).not.toContain('Paused since');
    await service().sendDue();
    expect(receiver.calls).toHaveLength(2);

    const gone = await act(`${location}/delete`);
    expect(gone.location).toBe(list);
    expect(read(gone.text)).not.toContain('Second');
  });

  it('send a call again, and come back to the destination', async () => {
    receiver.behaviour = answers(410);
    const { location } = await act('/destinations', typed());
    await service().deliver(form, { topic: 'Sales' });
    receiver.behaviour = answers(200, 'ok');
    const { text } = await jane.get(location);
    const path = /action="(\/inbox\/[^"]+\/attempts)"/.exec(text)?.[1] ?? '';

    const again = await act(path, { to: location });
    expect(again.location).toBe(location);
    expect(again.text).toContain('Sent again.');
    expect((await act(path, { to: '//example.com/destinations' })).location).toMatch(/^\/inbox\//);
  });

  it('try conditions with what the forms of a client received', async () => {
    const other = await owner.makeForm({ notify_owner_on_submission: false });
    const client = await owner.makeClient({ name: 'Bakery', form_ids: [other.id] });
    for (const each of [form, other]) await service().submit(each, { topic: 'Sales' });
    const where = `?client_id=${client}`;
    const { status, text } = await jane.post(`/new-destination${where}`, typed());

    expect(status).toBe(200);
    expect(read(text)).toContain('1 of the last 1 submissions would have gone here.');
    expect(read(text)).toContain('Destinations of Bakery');
    const { location } = await act(`/destinations${where}`, typed());
    expect(read((await jane.get(`/destinations${where}`)).text)).toContain('Crew');
    expect(read((await jane.get('/destinations')).text)).not.toContain('Crew');
    await act(`${location}/delete`);
  });

  it.each(['/destinations', '/new-destination'])('know no client of another account: %s', async (path) => {
    const stranger = await (await service().openAccount()).makeClient();
    for (const id of [String(stranger), '999999', 'x'])
      expect((await jane.get(`${path}?client_id=${id}`)).status).toBe(404);
  });
});
