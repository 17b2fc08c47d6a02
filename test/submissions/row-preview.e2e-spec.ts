import { PreviewLearner } from '../../src/search/previews/preview-learner.js';
import type { Browser } from '../support/people.js';
import { useService, useOwner, useForm } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
let jane: Browser;
let path: string;
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  path = `/api/v1/forms/${form.identifier}/preview`;
  jane = await service().makeBrowser(owner);
});

const SENT = { name: 'Ann', message: 'Hello there', company: 'Bakery', budget: '5,000' };
const set = (fields: unknown) => owner.put(path, { fields });

/** Returns the texts of the inbox rows: the bold one, and the rest. */
async function rows(): Promise<string[]> {
  const { text } = await jane.get('/inbox?q=');
  return Array.from(text.matchAll(/<tr class="unread">(.*?)<\/tr>/gs), ([, row = '']) => {
    const [, bold = ''] = /class="row".*?<\/span>(.*?)<\/a>/s.exec(row) ?? [];
    const rest = Array.from(row.matchAll(/<bdi>(.*?)<\/bdi>/gs), ([, value = '']) => value);
    return [bold, ...rest].join(' · ');
  });
}

describe('What rows of a form show', () => {
  it('is chosen by names at first, then what its owner chose, until that is taken back', async () => {
    await owner.get(path).expect(200, { fields: null, learnt: null });
    await set(['company', 'budget']).expect(200, { fields: ['company', 'budget'], learnt: null });
    await owner.get(path).expect(200, { fields: ['company', 'budget'], learnt: null });
    await set(null).expect(200, { fields: null, learnt: null });
    await owner.get(path).expect(200, { fields: null, learnt: null });
  });

  it('is what the inbox shows then, and the title of the page of a submission', async () => {
    const id = await service().submit(form, SENT);
    expect(await rows()).toEqual(['Ann · Hello there · Bakery · 5,000']);

    await set(['company', 'budget']).expect(200);

    expect(await rows()).toEqual(['Bakery · 5,000']);
    expect((await jane.get(`/inbox/${form.identifier}/${id}`)).text).toContain('<title>Bakery');
  });

  it.each([
    ['nothing', undefined],
    ['no list', 'company'],
    ['an empty list', []],
    ['a field twice', ['a', 'a']],
    ['more than ten', Array.from({ length: 11 }, (_, index) => `f${index}`)],
    ['an empty name', ['']],
    ['a long name', ['x'.repeat(256)]],
    ['half of a character', ['\ud800']],
    ['no text', [7]],
  ])('is refused when it is %s', async (_, fields) => {
    expect((await set(fields).expect(422)).body.errors[0]?.field).toBe('fields');
    await owner.get(path).expect(200, { fields: null, learnt: null });
  });

  it('is that of a copy too, and the object of a form does not show it', async () => {
    await set(['company']).expect(200);
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(Object.keys(body)).toEqual(Object.keys(form));
    const copied = await jane.post(`/forms/${form.identifier}/duplicates`);
    const copy = copied.headers.location?.replace('/forms/', '') ?? '';
    await owner.get(`/api/v1/forms/${copy}/preview`).expect(200, { fields: ['company'], learnt: null });
  });
});

describe('What rows show without a choice', () => {
  const learn = () => service().app.get(PreviewLearner).learnAll({ now: new Date() });
  /** Sends what says nothing by the names of its fields: a page, a tick, a topic, a name and a text. */
  const sendSome = async (from: number, to: number) => {
    for (let n = from; n < to; n++) {
      await service().submit(form, {
        ...{ f1: 'https://example.com/contact', f2: 'on' },
        f3: ['Tür', 'Fenster', 'Dach'][n % 3],
        f4: `Marta ${String.fromCharCode(65 + (n % 26))}`,
        f5: `Die ${n}. Lieferung ist nicht gekommen.`,
      });
    }
  };

  it('is learnt from what was sent, once there is enough of it, and shown', async () => {
    await sendSome(0, 9);
    await learn();
    await owner.get(path).expect(200, { fields: null, learnt: null });
    expect((await rows())[0]).toMatch(/^https:/);

    await sendSome(9, 10);
    await learn();

    await owner.get(path).expect(200, { fields: null, learnt: ['f4', 'f5', 'f3'] });
    expect((await rows())[0]).toBe('Marta J · Die 9. Lieferung ist nicht gekommen. · Tür');
  });

  it('has the message first on the page of each submission too, however long its other answers are', async () => {
    await sendSome(0, 10);
    await learn();
    const f3 = 'Dach und noch sehr viel mehr, als der Brief selbst zu sagen hat.';
    const id = await service().submit(form, { f3, f4: 'Marta', f5: 'Die Lieferung fehlt.' });
    const { text } = await jane.get(`/inbox/${form.identifier}/${id}`);
    const names = Array.from(text.matchAll(/<dt title="(f\d)">/g), ([, name]) => name);
    expect(names).toEqual(['f5', 'f3', 'f4']);
  });

  it('stays until there is much more, and a choice takes its place', async () => {
    await sendSome(0, 10);
    await learn();
    for (let n = 0; n < 12; n++) await service().submit(form, { f9: `Another ${n}` });
    await learn();
    await owner.get(path).expect(200, { fields: null, learnt: ['f4', 'f5', 'f3'] });

    await set(['f9']).expect(200, { fields: ['f9'], learnt: null });
    await learn();
    await owner.get(path).expect(200, { fields: ['f9'], learnt: null });
    await set(null).expect(200, { fields: null, learnt: null });
    await learn();
    expect((await owner.read(path)).learnt).toContain('f9');
  });
});
