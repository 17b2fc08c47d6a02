import { refusal } from '../support/refusal.js';
import { useOwner, useService } from '../support/service.js';

const FORMS = '/api/v1/forms';
const service = useService();
const owner = useOwner(service);

const EMAIL = { name: 'email', kind: 'email', required: true };
const ensure = (name: string, more: object = {}) => owner.put(FORMS, { form: { name, ...more }, fields: [EMAIL] });

describe('Ensuring a form', () => {
  it('creates it with its fields, and returns it unchanged from then on', async () => {
    const { body: made } = await ensure('Contact').expect(201);
    await owner.patch(`${FORMS}/${made.form.identifier}`, { form: { submission_text: 'Hi' } }).expect(200);

    const { body: again } = await owner.put(FORMS, { form: { name: ' Contact ' }, fields: [] }).expect(200);

    expect(made).toMatchObject({ form: { name: 'Contact' }, fields: [EMAIL], created: true });
    const form = { ...made.form, submission_text: 'Hi' };
    expect(again).toEqual({ form, fields: made.fields, created: false });
    expect((await owner.read(FORMS)).forms).toHaveLength(1);
  });

  it('creates one for several who ask at once', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => ensure('Contact')));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body.form.identifier)).size).toBe(1);
  });

  it('tells names apart by their letters, and forms by their account', async () => {
    const other = await service().openAccount();
    await other.put(FORMS, { form: { name: 'Contact' } }).expect(201);

    await ensure('Contact').expect(201);
    await ensure('contact').expect(201);
    await ensure('Cöntact').expect(201);
  });

  it('returns the oldest of several, and none that was deleted', async () => {
    const [first, second] = [await owner.makeForm({ name: 'A' }), await owner.makeForm({ name: 'A' })];
    expect((await ensure('A').expect(200)).body.form.identifier).toBe(first.identifier);

    await owner.delete(`${FORMS}/${first.identifier}`).expect(200);
    expect((await ensure('A').expect(200)).body.form.identifier).toBe(second.identifier);
  });

  it('returns to a client what it sees, and creates the rest', async () => {
    const seen = await owner.makeForm({ name: 'Seen' });
    await owner.makeForm({ name: 'Unseen' });
    const details = { form_ids: [seen.id], can_create_forms: true };
    const client = await owner.makeClientCaller(details);

    const { body } = await client.put(FORMS, { form: { name: 'Seen' } }).expect(200);
    expect(body.form.identifier).toBe(seen.identifier);
    await client.put(FORMS, { form: { name: 'Unseen' } }).expect(201);
  });

  it('refuses what is wrong with the form, its fields or the rights of the token', async () => {
    await owner.put(FORMS, { form: {} }).expect(refusal(422, 'invalid_fields', 'form.name'));
    const twice = { form: { name: 'A' }, fields: [EMAIL, EMAIL] };
    await owner.put(FORMS, twice).expect(refusal(422, 'invalid_fields', 'fields'));
    const blind = service().as((await owner.makeToken({ rights: ['forms:create'] })).token);
    await blind.put(FORMS, { form: { name: 'A' } }).expect(201);
    await blind.put(FORMS, { form: { name: 'A' } }).expect(refusal(403, 'missing_right'));
  });
});
