import { elementsOf, hiddenOf, textOf } from '../support/page.js';
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

it('Mails that were given up are counted by kind and sent again, from where the page of the form warns of them', async () => {
  server.answer = () => REFUSED;
  for (const email of ['ann@example.org', 'bob@example.org', 'cid@example.org']) {
    await service().submit(form, { email });
  }
  await service().sendDue();
  const links = elementsOf((await jane.get(`/forms/${form.identifier}`)).text).map(
    ({ attributes }) => attributes.href ?? '',
  );
  const pages = links.filter((href) => href.includes('/redelivery?'));
  expect(pages.map((href) => href.split('=').at(-1))).toEqual(['owner_email', 'submitter_email']);
  const [toOwner = '', toVisitors = ''] = pages;
  expect(await mains(toOwner)).toContain('3 emails to your team failed');
  const { text } = await jane.get(toVisitors);
  expect(textOf(text, 'main').join(' ')).toContain('3 emails to visitors failed');

  server.answer = () => 'accept';
  expect((await jane.post(toVisitors, hiddenOf(text))).status).toBe(303);
  await service().sendDue();

  const reached = server.mails.flatMap(({ to }) => to);
  expect(reached.sort()).toEqual(['ann@example.org', 'bob@example.org', 'cid@example.org']);
  expect(await mains(toOwner)).toContain('3 emails to your team failed');
  expect(await mains(toVisitors)).toContain('No email to a visitor has failed');
});
