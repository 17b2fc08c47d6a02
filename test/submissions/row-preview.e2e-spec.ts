import { PreviewLearner } from '../../src/search/previews/preview-learner.js';
import type { Browser } from '../support/people.js';
import { useService, useOwner, useForm } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
let jane: Browser;
let path: string;
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
beforeEach(async () => {
  path = `/api/v1/forms/${form.identifier}/fields`;
  jane = await service().makeBrowser(owner);
});

const SENT = { name: 'Ann', message: 'Hello there', company: 'Bakery', budget: '5,000' };
const inInbox = (...names: string[]) => names.map((name) => ({ name, kind: 'text', in_inbox: true }));
const set = (...names: string[]) => owner.setFields(form, inInbox(...names));

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
    await service().submit(form, SENT);
    expect(await rows()).toEqual(['Ann · Hello there · Bakery · 5,000']);
    await set('company', 'budget');
    expect(await rows()).toEqual(['Bakery · 5,000']);
    await set();
    expect(await rows()).toEqual(['Ann · Hello there · Bakery · 5,000']);
  });

  it('is in the title of the page of a submission too', async () => {
    await set('company');
    const id = await service().submit(form, SENT);
    expect((await jane.get(`/inbox/${form.identifier}/${id}`)).text).toContain('<title>Bakery');
  });

  it('is that of a copy too, and the object of a form does not show it', async () => {
    await set('company');
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    expect(Object.keys(body)).toEqual(Object.keys(form));
    const copied = await jane.post(`/forms/${form.identifier}/duplicates`);
    const copy = copied.headers.location?.replace('/forms/', '') ?? '';
    await owner.get(`/api/v1/forms/${copy}/fields`).expect(200, { fields: inInbox('company') });
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
    await owner.get(path).expect(200, { fields: [] });
    expect((await rows())[0]).toMatch(/^https:/);

    await sendSome(9, 10);
    await learn();

    await owner.get(path).expect(200, { fields: [], learnt_in_inbox: ['f4', 'f5', 'f3'] });
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
    const known = { fields: [], learnt_in_inbox: ['f4', 'f5', 'f3'] };
    await owner.get(path).expect(200, known);
    await owner.put(path, { ...known, learnt_in_inbox: ['f1'] }).expect(200, known);

    await set('f9').expect(200, { fields: inInbox('f9') });
    await learn();
    await owner.get(path).expect(200, { fields: inInbox('f9') });
    await set().expect(200, { fields: [] });
    await learn();
    expect((await owner.read(path)).learnt_in_inbox).toContain('f9');
  });
});
