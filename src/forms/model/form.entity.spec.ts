import { describe, expect, it } from '@jest/globals';
import { Form } from './form.entity.js';

const SHOP = { accountId: 1, clientId: null };
const then = new Date('2030-01-01T00:00:00Z');
const later = new Date('2030-01-02T00:00:00Z');

describe('A form', () => {
  it('gets an identifier of 16 hex digits, another one each time', () => {
    const identifiers = Array.from({ length: 1000 }, () =>
      Form.create(SHOP, { name: 'Contact' }, then),
    ).map(({ identifier }) => identifier);

    for (const identifier of identifiers) expect(identifier).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(identifiers).size).toBe(1000);
  });

  it('keeps what a change does not name', () => {
    const form = Form.create(SHOP, { name: 'Contact', bgColor: 'red' }, then);

    form.change({ bgColor: null });

    expect(form).toMatchObject({ name: 'Contact', bgColor: null });
    expect(form).toMatchObject({ notifyOwnerOnSubmission: true, createdAt: then });
  });

  it('leaves nothing behind of what its owner wrote, but keeps its identifier', () => {
    const form = Form.create(SHOP, { name: 'Contact', notifyOwnerEmails: 'a@example.com' }, then);
    const { identifier } = form;

    form.delete(later);

    expect(form).toMatchObject({ identifier, accountId: 1, deletedAt: later });
    expect(form).toMatchObject({ name: '', notifyOwnerEmails: null });
  });
});
