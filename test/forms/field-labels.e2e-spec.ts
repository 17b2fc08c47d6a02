import { factsOf, textOf } from '../support/page.js';
import type { Browser } from '../support/people.js';
import { useService, useOwner, type FormBody } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { send } from '../support/submit.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
let form: FormBody;
let path: string;
const owner = useOwner(service, 'Bakery', 'owner@example.com');
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact', show_submitted_values: true });
  path = `/api/v1/forms/${form.identifier}/labels`;
});

const LABELS = [
  { name: 'msg', label: 'What you wish' },
  { name: 'first_name', label: 'الاسم' },
];
const SENT = { first_name: 'Ann', last_name: 'Smith', msg: 'Hello' };
const SHOWN = [
  ['What you wish', 'Hello'],
  ['الاسم', 'Ann'],
  ['Last name', 'Smith'],
];

const setLabels = (labels: unknown) => owner.put(path, { labels });

describe('The labels of a form', () => {
  it('are none at first, then those that its owner gave, in order, until they are removed', async () => {
    await owner.get(path).expect(200, { labels: [] });
    await setLabels(LABELS).expect(200, { labels: LABELS });
    await owner.get(path).expect(200, { labels: LABELS });
    await setLabels([]).expect(200, { labels: [] });
    await owner.get(path).expect(200, { labels: [] });
  });

  it('may be a hundred of the longest, in any script', async () => {
    const labels = makeLabels(100);
    await setLabels(labels).expect(200, { labels });
  });

  it.each([
    ['nothing', 'labels', null],
    ['no list', 'labels', 'first_name'],
    ['no objects', 'labels', [null]],
    ['a field twice', 'labels', [...LABELS, { name: 'msg', label: 'x' }]],
    ['more than a hundred', 'labels', LABELS.concat(makeLabels(99))],
    ['no name', 'labels.0.name', [{ label: 'x' }]],
    ['an empty name', 'labels.0.name', [{ name: '', label: 'x' }]],
    ['a long name', 'labels.0.name', [{ name: 'x'.repeat(256), label: 'x' }]],
    ['a blank label', 'labels.0.label', [{ name: 'x', label: ' ' }]],
    ['a long label', 'labels.0.label', [{ name: 'x', label: 'x'.repeat(101) }]],
    ['something else', 'labels.0.colour', [{ name: 'x', label: 'x', colour: 'red' }]],
  ])('are refused when they are %s, naming %s', async (_, field, labels) => {
    const { body } = await setLabels(labels).expect(422);
    expect((body as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(field);
    await owner.get(path).expect(200, { labels: [] });
  });

  it('are those of a copy too, and the object of a form does not show them', async () => {
    await setLabels(LABELS).expect(200);
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(Object.keys(body)).toEqual(Object.keys(form));
    const jane = await browserOf();
    const copied = await jane.post(`/forms/${form.identifier}/duplicates`);
    const copy = copied.headers.location?.replace('/forms/', '') ?? '';
    await owner.get(`/api/v1/forms/${copy}/labels`).expect(200, { labels: LABELS });
  });
});

describe('What people read for the fields of a form', () => {
  beforeEach(() => setLabels(LABELS).expect(200));

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

/** Labels that are as long as they may be. */
function makeLabels(count: number): { name: string; label: string }[] {
  return Array.from({ length: count }, (_, index) => ({
    name: `${index}${'😀'.repeat(250)}`,
    label: '😀'.repeat(100),
  }));
}

const browserOf = async (): Promise<Browser> => service().makeBrowser(owner);
