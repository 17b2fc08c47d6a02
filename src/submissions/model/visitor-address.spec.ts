import { SubmittedValues } from './submitted-values.js';
import { visitorAddressesOf } from './visitor-address.js';

const valuesOf = (sent: object) =>
  new SubmittedValues(Object.entries(sent).map(([name, value]) => ({ name, json: JSON.stringify(value) })));

describe("The visitor's address", () => {
  it.each([
    ['that of the field email', { mail: 'a@x.example', email: 'b@x.example' }, 'b@x.example'],
    ['that of a field named for one', { 'Your e-mail': 'a@x.example', friend: 'b@x.example' }],
    ['the only one', { contact: 'a@x.example', message: 'no address' }],
    ['one that is sent twice', { contact: 'a@x.example', again: 'A@x.example' }],
    ['one in an object', { data: { name: 'Ann', email: 'a@x.example' } }],
    ['one deep inside', { form: { fields: { your_email: 'a@x.example', cc: 'b@x.example' } } }],
    ['the outer one', { customer: { email: 'a@x.example' }, guests: [[{ email: 'b@x.example' }]] }],
    ['the only one inside', { data: { contact: 'a@x.example', topic: 'x' } }],
    ['that of a field before one inside', { email: 'a@x.example', data: { email: 'b@x.example' } }],
  ])('is %s', (_, sent, address = 'a@x.example') => {
    expect(valuesOf(sent).visitor()).toBe(address);
    expect(visitorAddressesOf(valuesOf(sent))).toContain(address);
  });

  it.each([
    ['several fields have one', { one: 'a@x.example', other: 'b@x.example' }],
    ['several objects have one', { guests: [{ email: 'a@x.example' }, { email: 'b@x.example' }] }],
    ['it stands in a sentence', { data: { email: 'Write to a@x.example' } }],
    ['a field is left empty', { email: '' }],
  ])('is not known where %s', (_, sent) => {
    expect(valuesOf(sent).visitor()).toBeNull();
  });

  it('of every guest can be looked up', () => {
    const guests = [{ email: 'A@x.example' }, { email: 'b@x.example' }];

    expect(visitorAddressesOf(valuesOf({ guests }))).toEqual(['a@x.example', 'b@x.example']);
  });
});
