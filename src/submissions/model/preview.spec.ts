import { encodeLearnt, encodePreview } from '../../forms/model/form-values.js';
import { answerLines, previewOf } from './preview.js';

const of = (values: Record<string, string>, chosen: string[] | null = null) =>
  previewOf(
    Object.entries(values).map(([name, text]) => ({ name, path: [], text })),
    encodePreview(chosen),
  );

describe('The preview of a submission', () => {
  it('names the sender by name, wherever it stands', () => {
    expect(of({ message: 'Hello', email: 'jane@example.com', name: 'Jane' })).toEqual({
      from: 'Jane',
      rest: ['Hello'],
      address: 'jane@example.com',
    });
    expect(of({ first_name: 'Jane', last_name: 'Doe' })).toEqual({ from: 'Jane Doe', rest: [] });
  });

  it('takes the address, else the first value that is filled in', () => {
    expect(of({ topic: 'x', email: 'jane@example.com' }).from).toBe('jane@example.com');
    expect(of({ topic: '', colour: 'red', size: 'L' })).toEqual({ from: 'red', rest: ['L'] });
    expect(of({})).toEqual({ from: '', rest: [] });
  });

  it('is the fields that were chosen, in their order, and those alone', () => {
    const values = { name: 'Jane', message: 'Hello', budget: '5,000', company: 'Bakery' };
    expect(of(values, ['company', 'missing', 'budget'])).toEqual({ from: 'Bakery', rest: ['5,000'] });
  });

  it('is as without a choice where none of them is filled in', () => {
    expect(of({ name: 'Jane', m: 'x', company: ' ' }, ['company'])).toEqual({ from: 'Jane', rest: ['x'] });
  });

  it('begins with what was written rather than with a picture', () => {
    const sent = { name: 'Jane', signature: 'data:image/png;base64,iVBORw0KGgo=', size: 'L' };
    const lines = answerLines(Object.entries(sent).map(([name, text]) => ({ name, json: JSON.stringify(text), text })));
    expect(previewOf(lines, null).rest).toEqual(['L', 'image, 8 bytes']);
  });

  it('is one short line, however long the values are', () => {
    const { rest } = of({ name: 'Jane', topic: 'x', message: 'a\n b '.repeat(10_000), more: 'y' });
    expect(rest).toEqual([expect.stringMatching(/^a b a b .*…$/)]);
    expect(rest.join('').length).toBeLessThanOrEqual(161);
  });

  it('is what was learnt where nobody has chosen, with whom a field names in bold', () => {
    const learnt = encodeLearnt({ at: 10, fields: ['q2', 'q5'] });
    const shown = (values: Record<string, string>) =>
      previewOf(
        Object.entries(values).map(([name, text]) => ({ name, path: [], text })),
        learnt,
      );
    const values = { utm: 'x', email: 'a@example.com', q5: 'Hello', q2: 'Ana' };
    const address = 'a@example.com';
    expect(shown(values)).toEqual({ from: 'Ana', rest: ['Hello'], address });
    const named = { ...values, name: 'Zoë' };
    expect(shown(named)).toEqual({ from: 'Zoë', rest: ['Ana', 'Hello'], address });
    expect(shown({ email: 'a@example.com', more: 'y' })).toEqual({ from: 'a@example.com', rest: ['y'] });
  });
});
