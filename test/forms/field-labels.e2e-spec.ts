import { factsOf, textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { useService, useForm, useOwner } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { send } from '../support/submit.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const owner = useOwner(service, 'Bakery', 'owner@example.com');
const form = useForm(owner, { name: 'Contact', show_submitted_values: true });

const LABELED = [
  { name: 'msg', label: 'What you wish' },
  { name: 'first_name', label: 'الاسم' },
];
const SENT = { first_name: 'Ann', last_name: 'Smith', msg: 'Hello' };
const SHOWN = [
  ['What you wish', 'Hello'],
  ['الاسم', 'Ann'],
  ['Last name', 'Smith'],
];

describe('What people read for the fields of a form', () => {
  beforeEach(() => owner.setFields(form, LABELED));

  it('are its labels in their order, then the others, in the mail to the owner', async () => {
    await service().deliver(form, SENT);

    expect(factsOf(server.to('owner@example.com')[0]?.mail.html ?? '')).toEqual(SHOWN);
  });

  it('on the thank-you page', async () => {
    const answer = await send(`${service().url}/f/${form.identifier}`, {
      headers: { Accept: 'text/html', 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(SENT).toString(),
    });
    const { pathname, search } = new URL(answer.headers.get('Location') ?? '');
    const { text } = await send(service().url + pathname + search, { method: 'GET' });

    expect(textOf(text, 'dt')).toEqual(SHOWN.map(([label]) => label));
    expect(textOf(text, 'dd')).toEqual(SHOWN.map(([, value]) => value));
  });

  it('and on the page of the submission', async () => {
    const id = await service().submit(form, SENT);
    const { text } = await (await browserOf()).get(`/inbox/${form.identifier}/${id}`);

    const values = text.slice(text.indexOf('class="values"'));
    const labels = textOf(values, 'dt').map((each) => each.split('<')[0]);
    expect(labels.slice(0, 3).sort()).toEqual(SHOWN.map(([label]) => label).sort());
  });
});

const browserOf = async (): Promise<Browser> => service().makeBrowser(owner);
