import { Form } from './form.entity.js';

const SHOP = { accountId: 1, clientId: null };
const then = new Date('2030-01-01T00:00:00Z');
const later = new Date('2030-01-02T00:00:00Z');

it('A form that is deleted leaves nothing behind of what its owner wrote, but keeps its identifier', () => {
  const form = Form.create(SHOP, { name: 'Contact', notifyOwnerEmails: 'a@example.com' }, then);
  const { identifier } = form;

  form.delete(later);

  expect(form).toMatchObject({ identifier, accountId: 1, deletedAt: later });
  expect(form).toMatchObject({ name: '', notifyOwnerEmails: null });
});
