import fc from 'fast-check';
import { columnNameOf, columnsOf, FIXED_COLUMNS } from './columns.js';

describe('Columns', () => {
  it('are fixed ones by their names, and fields by any other, each once and in order', () => {
    expect(columnsOf(['email', 'id', 'email', 'a,b', '', 'values.id', 'values.values.x'])).toEqual([
      { field: 'email' },
      { fixed: 'id' },
      { field: 'a,b' },
      { field: '' },
      { field: 'id' },
      { field: 'values.x' },
    ]);
  });

  it('can be any field, whatever its name', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom(...FIXED_COLUMNS, 'values.', 'values.id'));
    fc.assert(
      fc.property(name, (field) => {
        expect(columnsOf([columnNameOf(field)])).toEqual([{ field }]);
      }),
    );
  });
});
