import type { ImportPreview } from '../../imports/import-preview.js';
import { DAY_ORDERS, UNDATED, type ImportOptions } from '../../imports/model/import-options.js';
import { Check, Select } from '../parts/controls.js';
import { importWords } from './words.js';
import { CHOSEN_MAX } from './mapping.js';
import { shortened } from './parts.js';

const USES = ['field', 'time', 'none'] as const;
/** Encodings that pages offer; the API takes any. */
const ENCODINGS = [
  ...['utf-8', 'utf-16le', 'windows-1252', 'windows-1250', 'windows-1251', 'windows-1253'],
  ...['windows-1254', 'windows-1255', 'windows-1256', 'windows-1257', 'windows-1258'],
  ...['windows-874', 'iso-8859-2', 'koi8-r', 'koi8-u', 'ibm866', 'macintosh'],
  ...['shift_jis', 'euc-jp', 'gb18030', 'big5', 'euc-kr'],
];

/** Draws the choice of how a file is read: its encoding, its columns, its times, and files. */
export function Reading(props: { preview: ImportPreview; options: ImportOptions }) {
  const { preview, options } = props;
  const { columns, reading } = preview;
  const text = importWords;
  const known = options.encoding === null ? [] : [options.encoding];
  const encodings = [...new Set([...known, ...ENCODINGS])];
  const undated = UNDATED.map((value) => ({ value, label: text.undatedNames[value] }));
  return (
    <>
      <Select
        name="encoding"
        label={text.encoding}
        value={options.encoding ?? ''}
        options={[
          { value: '', label: text.anyEncoding(reading.encoding) },
          ...encodings.map((value) => ({ value, label: value })),
        ]}
      />
      {columns.length > CHOSEN_MAX && <p class="hint">{text.tooMany(CHOSEN_MAX)}</p>}
      {columns.length > 0 && columns.length <= CHOSEN_MAX && <Columns columns={columns} />}
      <Select
        name="dates"
        label={text.dates}
        value={options.dates ?? ''}
        options={[
          { value: '', label: text.anyOrder },
          ...DAY_ORDERS.map((value) => ({ value, label: text.orders[value] })),
        ]}
      />
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

function Columns({ columns }: Pick<ImportPreview, 'columns'>) {
  const text = importWords;
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
          {columns.map((column) => (
            <tr>
              <th scope="row">
                <code dir="auto">{shortened(column.name)}</code>
                {column.samples.map((sample) => (
                  <div class="hint" dir="auto">
                    {sample}
                  </div>
                ))}
                <input type="hidden" name="column" value={column.name} />
              </th>
              {column.use === 'known' ? <Known /> : <Choice column={column} />}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** Draws that a column is read by itself. */
function Known() {
  return (
    <td class="quiet" colspan={2}>
      {importWords.known}
      <input type="hidden" name="use" value="known" />
      <input type="hidden" name="name" value="" />
    </td>
  );
}

function Choice({ column }: { column: ImportPreview['columns'][number] }) {
  const text = importWords;
  const { name, use, field } = column;
  return (
    <>
      <td class="field">
        <select name="use" aria-label={text.useOf(name)}>
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
          value={field ?? name}
          aria-label={text.nameOf(name)}
          dir="auto"
        />
      </td>
    </>
  );
}
