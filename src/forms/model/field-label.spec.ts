import { describe, expect, it } from '@jest/globals';
import { fieldLabel } from './field-label.js';

describe('The label of a field', () => {
  it.each([
    ['first_name', 'First name'],
    ['firstName', 'First name'],
    ['e-mail', 'E mail'],
    ['form.webhook_url', 'Webhook url'],
    ['Your message', 'Your message'],
    ['Straße', 'Straße'],
    ['items[]', 'items[]'],
    ['', ''],
  ])('of %j is %j', (name, label) => {
    expect(fieldLabel(name)).toBe(label);
  });
});
