import { valuesOn, saveSettings } from '../support/page-forms.js';
import type { Browser } from '../support/people.js';
import { refusal } from '../support/refusal.js';
import { useForm, useOwner, useService } from '../support/service.js';
import { multipart, named, send, type Sent } from '../support/submit.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact' });
let path: string;
let jane: Browser;
beforeEach(async () => {
  path = `/api/v1/forms/${form.identifier}/fields`;
  jane = await service().makeBrowser(owner);
});

const EMAIL = { name: 'email', label: 'Your email', kind: 'email', required: true };
const ALL = [
  EMAIL,
  { name: 'topic', kind: 'choice', choices: ['Sales', 'Support'], help: 'One of them.' },
  { name: 'message', kind: 'long_text', min_length: 2, max_length: 100, in_inbox: true },
  { name: 'age', kind: 'number', min: 18, max: 120 },
  { name: 'cv', kind: 'file', file_types: ['.pdf'], max_file_bytes: 5 },
  { name: 'code', kind: 'text', pattern: '[A-Z]+' },
];
const set = (fields: unknown, others: object = {}) => owner.put(path, { fields, ...others });
const namesIn = ({ fields }: { fields: { name: string }[] }) => fields.map(({ name }) => name);
const submit = (sent: Sent) => send(`${service().url}/f/${form.identifier}`, sent);
const codesOf = async (sent: Sent) => {
  const { status, body } = await submit(sent);
  const errors = (body.errors ?? []) as { field: string; code: string }[];
  return [status, ...errors.map(({ field, code }) => `${field} ${code}`)];
};

describe('The fields of a form', () => {
  it('are none at first, then what its owner set, in order, until they are forgotten', async () => {
    await owner.get(path).expect(200, { fields: [] });
    await set([EMAIL]).expect(200, { fields: [EMAIL] });
    await set(ALL).expect(200, { fields: ALL });
    await set(ALL, { on_failure: 'hold' }).expect(200, { fields: ALL, on_failure: 'hold' });
    await owner.get(path).expect(200, { fields: ALL, on_failure: 'hold' });
    await set([]).expect(200, { fields: [] });
  });

  it('may be 250 of the longest, in any script, and no more', async () => {
    const longest = { label: '😀'.repeat(100), kind: 'text' };
    const fields = Array.from({ length: 250 }, (_, at) => ({ name: `${at}${'😀'.repeat(250)}`, ...longest }));
    await set(fields).expect(200, { fields });
    await set([...fields, EMAIL]).expect(refusal(422, 'invalid_fields', 'fields'));
  });

  it.each([
    ['fields', null],
    ['fields', 'email'],
    ['fields', [null]],
    ['fields', [EMAIL, EMAIL]],
    ['fields', Array.from({ length: 11 }, (_, at) => ({ name: `${at}`, in_inbox: true }))],
    ['fields.0.name', [{ kind: 'text' }]],
    ['fields.0.name', [{ name: '' }]],
    ['fields.0.name', [{ name: 'x'.repeat(256) }]],
    ['fields.0.name', [{ name: '\ud800' }]],
    ['fields.0.label', [{ name: 'a', label: ' ' }]],
    ['fields.0.label', [{ name: 'a', label: 'x'.repeat(101) }]],
    ['fields.0.kind', [{ name: 'a', kind: 'password' }]],
    ['fields.0.help', [{ name: 'a', help: 'x'.repeat(501) }]],
    ['fields.0.file_types', [{ name: 'a', file_types: ['.pdf'] }]],
    ['fields.0.file_types', [{ name: 'a', kind: 'file', file_types: ['pdf'] }]],
    ['fields.0.max_file_bytes', [{ name: 'a', kind: 'file', max_file_bytes: 0 }]],
    ['fields.0.unique', [{ name: 'a', unique: 'yes' }]],
    ['fields.0.colour', [{ name: 'a', colour: 'red' }]],
  ])('are refused where they cannot be kept, naming %s', async (field, fields) => {
    await set(fields).expect(refusal(422, 'invalid_fields', field));
    await owner.get(path).expect(200, { fields: [] });
  });

  it('are checked in each submission, files too', async () => {
    await set(ALL).expect(200);
    const good = [
      ['email', 'a@b.de'],
      ['topic', 'Sales'],
      ['message', 'Hello'],
    ] as const;
    const file = (name: string, text: string) => ({ field: 'cv', name, bytes: Buffer.from(text) });
    expect(await codesOf(multipart(good, [file('cv.pdf', '12345')]))).toEqual([200]);
    expect(await codesOf(multipart(good, [file('cv.exe', '1')]))).toEqual([...[422, 'cv WRONG_FILE_TYPE']]);
    expect(await codesOf(multipart(good, [file('cv.pdf', '123456')]))).toEqual([...[422, 'cv FILE_TOO_LARGE']]);
    expect(await codesOf(named({ email: 'x', topic: 'Press', message: 'H' }))).toEqual([
      ...[422, 'email NOT_AN_EMAIL', 'topic NOT_A_CHOICE', 'message TOO_SHORT'],
    ]);
  });
});

describe('A field whose values come once', () => {
  it('refuses one that came before, until what had it is gone', async () => {
    await set([{ ...EMAIL, unique: true }]).expect(200);
    const ann = named({ email: 'ann@example.com', note: '1' });
    const first = await submit(ann);
    expect(first.status).toBe(200);
    const again = named({ email: 'ann@example.com', note: '2' });
    expect(await codesOf(again)).toEqual([422, 'email VALUE_TAKEN']);
    expect(await codesOf(named({ email: 'ben@example.com' }))).toEqual([200]);

    const { id } = first.body as { id: string };
    await owner.delete(`/api/v1/forms/${form.identifier}/submissions/${id}`).expect(200);
    expect(await codesOf(again)).toEqual([200]);
  });
});

describe('The sheets of fields', () => {
  const sheet = (name: string) => `/forms/${form.identifier}/fields/${encodeURIComponent(name)}`;
  const saved = { status: 303, to: `/forms/${'x'.repeat(16)}/settings#fields` };
  const post = async (to: string, typed: Record<string, string>) => {
    const { status, headers, text } = await jane.post(to, typed);
    return { status, to: headers.location?.replace(form.identifier, 'x'.repeat(16)), text };
  };

  it('add, change, move and remove a field, whatever it is called', async () => {
    await set([EMAIL]).expect(200);
    const add = `/forms/${form.identifier}/new-field`;
    const typed = {
      ...{ 'field.name': 'a/b? ü', 'field.kind': 'choices', 'field.choices': 'S\r\nM\r\n' },
      ...{ 'field.in_inbox': 'true', 'field.place': '1', 'field.label': 'Größe' },
    };
    expect(await post(add, typed)).toMatchObject(saved);
    const size = { name: 'a/b? ü', label: 'Größe', kind: 'choices', choices: ['S', 'M'] };
    await owner.get(path).expect(200, { fields: [{ ...size, in_inbox: true }, EMAIL] });

    const shown = valuesOn((await jane.get(sheet(size.name))).text);
    expect(shown).toMatchObject(typed['field.choices'] ? { 'field.choices': 'S\nM' } : {});
    expect(await post(sheet(size.name), { ...shown, 'field.place': '2' })).toMatchObject(saved);
    expect(namesIn(await owner.read(path))).toEqual(['email', size.name]);
    expect(await post(`${sheet(size.name)}/delete`, {})).toMatchObject(saved);
    await owner.get(path).expect(200, { fields: [EMAIL] });
  });

  it('are shown again with what was typed, and the problem at its input', async () => {
    const add = `/forms/${form.identifier}/new-field`;
    const typed = { 'field.name': 'a', 'field.kind': 'text', 'field.pattern': '(a)\\1' };
    const { status, text } = await post(add, typed);
    expect({ status, shown: valuesOn(text) }).toMatchObject({ status: 422, shown: typed });
    expect(text).toMatch(/name="field\.pattern"[^>]*aria-invalid/);
    await owner.get(path).expect(200, { fields: [] });
  });

  it('take the fields of a page, and of what came, each with its kind', async () => {
    await set([EMAIL]).expect(200);
    const html = `<form action="/x" method="post"><label>Mail <input name="email" type="email"></label>
      <label>Your message <textarea name="msg" required></textarea></label>
      <select name="size"><option>S<option>M</select></form>`;
    expect(await post(`/forms/${form.identifier}/fields-of-page`, { html })).toMatchObject(saved);
    await submit(named({ email: 'a@b.de', msg: 'Hello', size: 'S', note: 'x\ny' }));
    expect(await post(`/forms/${form.identifier}/fields-of-submissions`, {})).toMatchObject(saved);
    await owner
      .get(path)
      .expect(200, {
        fields: [
          EMAIL,
          { name: 'msg', kind: 'long_text', label: 'Your message', required: true },
          { name: 'size', kind: 'choice', choices: ['S', 'M'] },
          { name: 'note', kind: 'long_text' },
        ],
      });
    const { status } = await post(`/forms/${form.identifier}/fields-of-page`, { html: '<p>' });
    expect(status).toBe(422);
  });

  it('stand in the settings in their order, which is saved with all others', async () => {
    await set([EMAIL, { name: 'message', kind: 'long_text' }]).expect(200);
    const page = `/forms/${form.identifier}/settings`;
    const shown = valuesOn((await jane.get(page)).text);
    const order = ['message', 'email'];
    await jane.post(page, { ...shown, order, 'settings.on_failure': 'hold' });
    expect(await owner.read(path)).toMatchObject({ on_failure: 'hold' });
    expect(namesIn(await owner.read(path))).toEqual(order);
    await saveSettings(jane, form, { spam_level: 'strict' });
    const spam = await owner.read(`/api/v1/forms/${form.identifier}/spam`);
    expect(spam).toMatchObject({ spam: { level: 'strict' } });
  });
});
