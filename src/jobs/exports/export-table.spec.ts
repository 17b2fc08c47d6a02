import fc from 'fast-check';
import { columnNameOf, columnsOf, FIXED_COLUMNS } from './export-table.js';

it('A column can be any field, whatever its name', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom(...FIXED_COLUMNS, 'values.', 'values.id'));
  fc.assert(
    fc.property(name, (field) => {
      expect(columnsOf([columnNameOf(field)])).toEqual([{ field }]);
    }),
  );
});
