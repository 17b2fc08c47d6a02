import fc from 'fast-check';
import { SubmittedValues } from './submitted-values.js';

const text = fc.string({ unit: 'binary' });
const member = fc.record({ name: text, json: fc.jsonValue().map((value) => JSON.stringify(value)) });

const of = (...members: [string, string][]) => new SubmittedValues(members.map(([name, json]) => ({ name, json })));

describe('Submitted values', () => {
  it('come back from storage as they were put there', () => {
    fc.assert(
      fc.property(fc.array(member), (members) => {
        const values = new SubmittedValues(members);
        const decoded = SubmittedValues.decode(values.encode()).members;
        expect(decoded.map(({ name, json }) => ({ name, json }))).toEqual(members);
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text)), (pairs) => {
        const values = SubmittedValues.ofPairs(pairs);
        expect(SubmittedValues.decode(values.encode())).toEqual(values);
      }),
    );
  });

  it('keep the text of numbers and half a surrogate in storage', () => {
    const values = of(['n', '1.0'], ['big', '12345678901234567890'], ['half', '"\\ud800"']);
    expect(SubmittedValues.decode(values.encode()).members).toEqual(values.members);
  });

  it('are shown once as the value and repeated as a list, where the name came first', () => {
    const values = of(['10', '1'], ['a', '"x"'], ['10', '[2]'], ['9', 'null'], ['__proto__', '{}']);
    expect(values.toJson()).toBe('{"10":[1,[2]],"a":"x","9":null,"__proto__":{}}');
    expect(of().toJson()).toBe('{}');
  });

  it('are shown and read the same whether or not they are simple enough to be copied', () => {
    const name = fc.oneof(text, fc.constantFrom('a', 'b', '"', '\\', '\\"', '[', ']'));
    const json = fc.oneof(
      fc.jsonValue().map((value) => JSON.stringify(value)),
      name.map((value) => JSON.stringify(value)),
    );
    fc.assert(
      fc.property(fc.array(fc.record({ name, json })), (members) => {
        const values = new SubmittedValues(members);
        const stored = values.encode();
        expect(SubmittedValues.jsonOf(stored)).toBe(values.toJson());
        expect(SubmittedValues.textsIn(stored)).toEqual(
          values.toText().map((each, at) => ({ ...each, json: members[at]?.json })),
        );
      }),
    );
    expect(SubmittedValues.jsonOf('[["a","x\\\\"],["b",1.0]]')).toBe('{"a":"x\\\\","b":1.0}');
  });

  it('read as text: strings as they are, the rest as it is written', () => {
    const values = of(['a', '"x\\n\\"y\\""'], ['b', '1.0'], ['c', '{"d":"e"}']);
    expect(values.toText().map((each) => each.text)).toEqual(['x\n"y"', '1.0', '{"d":"e"}']);
    expect(of(['a', '{"city":"K\\u00f6ln"}']).searchText()).toBe('{"city":"köln"}');
    expect(of(['a', '"ÄB"'], ['c', '"C"']).searchText()).toBe('äb\nc');
  });

  it('can be asked for by every plain value, also in a list, and by nothing else', () => {
    const values = of(['a', '"x"'], ['a', '["y",2,[3],{"z":4}]'], ['b', 'true'], ['c', 'null']);
    expect(values.scalars()).toEqual([
      { name: 'a', text: 'x' },
      { name: 'a', text: 'y' },
      { name: 'a', text: '2' },
      { name: 'b', text: 'true' },
    ]);
    expect(values.has('a', 'y')).toBe(true);
    expect(values.has('b', 'y')).toBe(false);
    expect(values.has('a', 'X')).toBe(false);
  });
});
