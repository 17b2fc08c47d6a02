import { saveSettings, valuesOn } from '../support/page-forms.js';
import { elementsOf } from '../support/page.js';
import { Browser } from '../support/people.js';
import { useForm, useOwner, useService, useSignedIn } from '../support/service.js';

const service = useService();
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
const jane = useSignedIn(service, owner);

const path = () => `/forms/${form.identifier}/settings`;
const stored = () => owner.read(`/api/v1/forms/${form.identifier}`);

describe('The settings of a form on one page', () => {
  it('are saved together: sections, fields and spam level in one', async () => {
    const level = { spam_level: 'strict', on_failure: 'hold' };
    const looks = { submission_text: 'Thanks!', retention_days: '30', max_submissions: '5' };

    expect((await saveSettings(jane, form, { ...level, ...looks })).status).toBe(303);

    const texts = valuesOn((await jane.get(path())).text);
    for (const [key, text] of Object.entries({ ...level, ...looks })) {
      expect({ key, text: texts[`settings.${key}`] }).toEqual({ key, text });
    }
  });

  it('stay as they were, all of them, where one is refused, and show what was typed', async () => {
    const { status, text } = await saveSettings(jane, form, { submission_text: 'Thanks!', redirect_url: 'nowhere' });

    expect(status).toBe(422);
    expect(valuesOn(text)).toMatchObject({ 'settings.submission_text': 'Thanks!', 'settings.redirect_url': 'nowhere' });
    expect(elementsOf(text)).toContainEqual(
      expect.objectContaining({
        attributes: expect.objectContaining({ name: 'settings.redirect_url', 'aria-invalid': 'true' }) as object,
      }),
    );
    expect(await stored()).toMatchObject({ submission_text: form.submission_text });
  });

  it('that two people change are both kept, and the same one is never lost unseen', async () => {
    const ben = await service().makeBrowser(owner);
    const before = valuesOn((await ben.get(path())).text);
    await saveSettings(jane, form, { submission_text: 'By Jane', redirect_url: 'https://a.example/' });

    const other = await ben.post(path(), { ...before, 'settings.link_color': '#123456' });
    expect(other.status).toBe(303);
    const mine = { ...before, 'settings.submission_text': 'By Ben' };
    const crossed = await ben.post(path(), mine);

    expect(await stored()).toMatchObject({
      submission_text: 'By Jane',
      redirect_url: 'https://a.example/',
      link_color: '#123456',
    });
    expect(crossed.status).toBe(422);
    expect(valuesOn(crossed.text)['settings.submission_text']).toBe('By Ben');
    expect(crossed.text).toContain('By Jane');
    expect((await ben.post(path(), valuesOn(crossed.text))).status).toBe(303);
    expect(await stored()).toMatchObject({ submission_text: 'By Ben' });
  });

  it('come back with what was typed where the session has ended', async () => {
    const typed = { ...valuesOn((await jane.get(path())).text), 'settings.name': 'Orders' };
    await jane.post('/sign-out');

    const { status, text } = await jane.post(path(), typed);

    expect(status).toBe(403);
    expect(valuesOn(text)).toMatchObject({ 'settings.name': 'Orders' });
    const again = await service().makeBrowser(owner);
    expect((await again.post(path(), valuesOn(text))).status).toBe(303);
    expect(await stored()).toMatchObject({ name: 'Orders' });
  });

  it('hold 250 fields, called like ours and in every script, in the order that was given', async () => {
    const named = ['settings.name', 'seen', 'order', '__proto__', 'اسم', 'name'];
    const names = [...named, ...Array.from({ length: 244 }, (_, at) => `field ${at}`)];
    const fields = names.map((name) => ({ name, label: name }));
    await owner.put(`/api/v1/forms/${form.identifier}/fields`, { fields }).expect(200);

    const { text } = await jane.get(path());
    const order = [...names].reverse();
    expect((await jane.post(path(), { ...valuesOn(text), order })).status).toBe(303);

    const { body: after } = await owner.get(`/api/v1/forms/${form.identifier}/fields`).expect(200);
    expect(after.fields.map(({ name }) => name)).toEqual(order);
  });
});

it('The settings of a form are not shown to a stranger', async () => {
  const stranger = await service().makeBrowser(await service().openAccount());
  expect((await stranger.get(path())).status).toBe(404);
  expect((await new Browser(service()).get(path())).status).toBe(303);
});

describe('The texts of a form in another language', () => {
  const sheet = (language: string) => `/forms/${form.identifier}/translations?language=${language}`;

  it('are set on a sheet of their own, for fields too, until all are empty', async () => {
    await owner
      .put(`/api/v1/forms/${form.identifier}/fields`, { fields: [{ name: 'size', kind: 'text', help: 'In cm.' }] })
      .expect(200);
    const typed = { submission_text: 'Danke!', 'label.0': 'Größe', 'help.0': 'In cm, bitte.', closed_message: '' };
    expect((await jane.post(sheet('de'), { ...valuesOn((await jane.get(sheet('de'))).text), ...typed })).status).toBe(
      303,
    );

    const de = { submission_text: 'Danke!', fields: { size: { label: 'Größe', help: 'In cm, bitte.' } } };
    const read = () => owner.read(`/api/v1/forms/${form.identifier}/translations`);
    expect(await read()).toEqual({ translations: { de } });
    expect(valuesOn((await jane.get(sheet('de'))).text)).toMatchObject({
      submission_text: 'Danke!',
      'label.0': 'Größe',
    });
    expect((await jane.get(path())).text).toContain('Texts in other languages (1)');

    // The API knows more than the sheet has shown.
    const more = { ...de, page_title: 'Hallo', fields: { ...de.fields, other: { label: 'Anderes' } } };
    await owner.put(`/api/v1/forms/${form.identifier}/translations`, { translations: { de: more } }).expect(200);
    const shown = valuesOn((await jane.get(sheet('de'))).text);
    await owner
      .put(`/api/v1/forms/${form.identifier}/fields`, { fields: [{ name: 'first', kind: 'text' }, { name: 'size' }] })
      .expect(200);
    expect((await jane.post(sheet('de'), shown)).status).toBe(303);
    expect(await read()).toEqual({ translations: { de: more } });
    await owner.put(`/api/v1/forms/${form.identifier}/translations`, { translations: { de } }).expect(200);

    const tooLong = await jane.post(sheet('en'), { closed_message: 'x'.repeat(501) });
    expect(tooLong.status).toBe(422);
    const cleared = { ...shown, submission_text: ' ', page_title: '', 'label.0': '', 'help.0': '' };
    await jane.post(sheet('de'), cleared);
    expect(await read()).toEqual({ translations: null });
    expect((await jane.get(sheet('tlh'))).status).toBe(404);
  });
});

describe('The page of a form', () => {
  it('is turned on with the other settings, which then show how it gets to visitors', async () => {
    expect((await jane.get(path())).text).not.toContain('iframe src');
    expect((await saveSettings(jane, form, { page_enabled: 'true', page_title: 'Hello' })).status).toBe(303);

    const { text } = await jane.get(path());
    const address = `/f/${form.identifier}`;
    expect(text).toMatch(new RegExp(`iframe src=[^ ]*${address}[^ ]* title=[^ ]*Contact`));
    expect(text).toMatch(/<img src="data:image\/svg\+xml,[^"]*" [^>]*alt="QR code of/);
    expect((await service().anonymous().get(address).set('Accept', 'text/html')).text).toContain(
      '<h1><bdi>Hello</bdi></h1>',
    );
  });
});
