import { fieldLabel } from './field.js';
import { FormFields } from './form-fields.js';

const fields = new FormFields([
  { name: 'message', kind: 'long_text', label: 'What you wish' },
  { name: '__proto__', kind: 'text', label: 'Odd' },
]);

describe('The fields of a form', () => {
  it("name a field in the owner's words, else in those of its name", () => {
    const names = ['message', '__proto__', 'first_name', 'constructor'];
    expect(names.map((name) => fields.labelOf(name))).toEqual([
      ...['What you wish', 'Odd', 'First name', 'Constructor'],
    ]);
  });

  it('put labelled fields first, and leave the others and repeated ones as they came', () => {
    const sent = ['b', 'message', '__proto__', 'a', 'message'].map((name, place) => ({ name, place }));
    expect(fields.sorted(sent).map(({ place }) => place)).toEqual([1, 4, 2, 0, 3]);
  });

  it('are the same after they were stored', () => {
    expect(FormFields.decode(fields.encode()).list).toEqual(fields.list);
    expect(new FormFields([]).encode()).toBeNull();
    expect(FormFields.decode(null).list).toEqual([]);
  });
});

it.each([
  ['first_name', 'First name'],
  ['firstName', 'First name'],
  ['e-mail', 'E mail'],
  ['form.webhook_url', 'Webhook url'],
  ['Your message', 'Your message'],
  ['Straße', 'Straße'],
  ['items[]', 'items[]'],
  ['', ''],
])('The label of a field of %j is %j', (name, label) => {
  expect(fieldLabel(name)).toBe(label);
});
