import { UNDATED, type ImportOptions } from '../../imports/model/import-options.js';
import { Check, Select } from '../parts/controls.js';
import { words } from '../words.js';
import { CHOSEN_MAX, choicesOf, type ColumnChoice } from './mapping.js';

const USES = ['field', 'time', 'none'] as const;

/** Draws the choice of how a file is read: its columns, rows without a time, and files. */
export function Reading(props: { columns: readonly string[]; options: ImportOptions }) {
  const { columns, options } = props;
  const text = words.imports;
  const undated = UNDATED.map((value) => ({ value, label: text.undatedNames[value] }));
  return (
    <>
      {columns.length > CHOSEN_MAX && <p class="hint">{text.tooMany(CHOSEN_MAX)}</p>}
      {columns.length > 0 && columns.length <= CHOSEN_MAX && (
        <Columns choices={choicesOf(columns, options)} />
      )}
      <Select name="undated" label={text.undated} value={options.undated} options={undated} />
      {columns.length > 0 && (
        <Check
          name="unprefix"
          label={text.unprefix}
          hint={text.unprefixHint}
          checked={options.unprefix}
        />
      )}
      <Check
        name="files"
        label={text.files}
        hint={text.filesHint}
        checked={options.files === 'fetch'}
      />
    </>
  );
}

function Columns({ choices }: { choices: readonly ColumnChoice[] }) {
  const text = words.imports;
  return (
    <>
      <p class="hint">{text.columnsHint}</p>
      <table class="labels uses">
        <thead>
          <tr>
            <th scope="col">{text.column}</th>
            <th scope="col">{text.use}</th>
            <th scope="col">{text.name}</th>
          </tr>
        </thead>
        <tbody>
          {choices.map(({ column, use, name }) => (
            <tr>
              <th scope="row">
                <code dir="auto">{column}</code>
                <input type="hidden" name="column" value={column} />
              </th>
              <td class="field">
                <select name="use" aria-label={text.useOf(column)}>
                  {USES.map((each) => (
                    <option value={each} selected={each === use}>
                      {text.uses[each]}
                    </option>
                  ))}
                </select>
              </td>
              <td class="field">
                <input
                  name="name"
                  type="text"
                  value={name}
                  aria-label={text.nameOf(column)}
                  dir="auto"
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
