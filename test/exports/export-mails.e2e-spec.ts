import type { Standing } from '../../src/people/members/membership.entity.js';
import { Browser } from '../support/people.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { pathOf } from '../support/submissions.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
let id: string;
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact', notify_owner_on_submission: false });
beforeEach(async () => {
  id = await service().submit(form, { m: 'one' });
});

/** Makes a person who is signed in. @param isVerified whether their address is known to be theirs */
async function makeReader(isVerified = true, standing?: Standing) {
  const person = await service().makePerson(owner, standing);
  if (!isVerified) await service().unprove(person);
  const browser = await Browser.of(service(), person.email);
  return { ...person, browser };
}

/** Asks for an export, as the page does. @returns the address of its page */
async function ask(browser: Browser): Promise<string> {
  const path = `/forms/${form.identifier}/submissions/export`;
  const { headers } = await browser.post(path, { format: 'csv', q: '' });
  return headers.location ?? '';
}

async function work(): Promise<void> {
  await service().work('export');
}

/** Sends what is due. @returns the mails about exports */
async function told() {
  await service().sendDue();
  return server.mails.filter(({ mail }) => mail.subject?.includes('export is ready') === true);
}

describe('Who asked for an export', () => {
  it('is told by one mail that it is ready, with a link to its page', async () => {
    const jane = await makeReader();
    await makeReader();
    const page = await ask(jane.browser);
    expect(await told()).toEqual([]);

    await work();

    const mails = await told();
    expect(mails.map(({ to }) => to)).toEqual([[jane.email]]);
    expect(mails[0]?.mail.subject).toBe('Your export is ready: Contact');
    expect(mails[0]?.mail.text).toContain(page);
    expect((await jane.browser.get(page)).text).toContain('Download');
    expect(await told()).toHaveLength(1);
  });

  it('is told by a mail each of two exports', async () => {
    const jane = await makeReader();
    const pages = [];
    for (let asked = 0; asked < 2; asked++) {
      pages.push(await ask(jane.browser));
      await work();
    }

    const texts = (await told()).map(({ mail }) => mail.text ?? '');

    expect(pages.map((page) => texts.filter((text) => text.includes(page)).length)).toEqual([1, 1]);
  });

  it('gets none at an address that is not known to be theirs, and none as a program', async () => {
    const { browser } = await makeReader(false);
    await ask(browser);
    await owner.post(`/api/v1/forms/${form.identifier}/exports`, { format: 'csv' }).expect(202);
    await work();

    expect(await told()).toEqual([]);
  });

  it('gets none of a file that is gone, or after they may not see the form any more', async () => {
    const [jane, tom] = [await makeReader(), await makeReader()];
    await ask(jane.browser);
    await work();
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);
    expect(await told()).toEqual([]);

    await ask(tom.browser);
    await work();
    await owner.delete(`/api/v1/people/${tom.membershipId}`).expect(200);
    expect(await told()).toEqual([]);

    const clientId = await owner.makeClient({ form_ids: [form.id] });
    const ann = await makeReader(true, { clientId, actions: ['see', 'export'] });
    await ask(ann.browser);
    await work();
    await owner.patch(`/api/v1/clients/${clientId}`, { client: { form_ids: [] } }).expect(200);
    expect(await told()).toEqual([]);
  });

  it('is told as a person of a client too', async () => {
    const clientId = await owner.makeClient({ form_ids: [form.id] });
    const jane = await makeReader(true, { clientId, actions: ['see', 'export'] });
    await ask(jane.browser);
    await work();

    expect((await told()).map(({ to }) => to)).toEqual([[jane.email]]);
  });
});
