import { elementsOf, textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
let jane: Browser;
let form: FormBody;
const owner = useOwner(service, 'Shop', 'shop@example.com');
beforeEach(async () => {
  form = await owner.makeForm({ notify_submitter: true });
  jane = await service().makeBrowser(owner);
});

const REFUSED = { at: 'recipient', code: 550, text: '5.1.1 No such user here' } as const;
const mains = async (path: string) => textOf((await jane.get(path)).text, 'main').join(' ');

it('Mails that were given up are listed and sent again from where the page of the form warns of them', async () => {
  server.answer = () => REFUSED;
  for (const email of ['ann@example.org', 'bob@example.org', 'cid@example.org']) {
    await service().submit(form, { email });
  }
  await service().sendDue();
  const links = elementsOf((await jane.get(`/forms/${form.identifier}`)).text).map(
    ({ attributes }) => attributes.href ?? '',
  );
  for (const place of ['team-mail', 'visitor-mail'])
    expect(links).toContain(`/forms/${form.identifier}/${place}?state=failed`);
  const [team, visitor] = [await owner.firstPath(form, 'team'), await owner.firstPath(form, 'visitor')];
  const { headers } = await jane.get(`/forms/${form.identifier}/visitor-mail?state=failed`);
  expect(headers.location).toBe(`${visitor}?state=failed#calls`);
  for (const page of [team, visitor]) expect(await mains(page)).toContain('Retry the 3 that failed');

  server.answer = () => 'accept';
  expect((await jane.post(`${visitor}/retry`)).headers.location).toBe(visitor);
  await service().sendDue();

  const reached = server.mails.flatMap(({ to }) => to);
  expect(reached.sort()).toEqual(['ann@example.org', 'bob@example.org', 'cid@example.org']);
  expect(await mains(team)).toContain('Retry the 3 that failed');
  expect(await mains(visitor)).not.toContain('that failed');
});
