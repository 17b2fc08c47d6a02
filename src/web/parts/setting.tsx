import { type FieldProblem, minuteAt, minuteOf } from '../../platform/index.js';
import type { Control, Setting } from '../../forms/model/setting.js';
import { Check, Field, Select } from './controls.js';
import type { SettingValue } from '../../forms/model/setting-groups.js';

interface SettingInputProps {
  name: string;
  label: string;
  hint?: string | undefined;
  control: Control;
  /** As `shownValue` makes it. */
  value: string;
  problems?: FieldProblem[] | undefined;
  /** Words of the choices. */
  choices?: Readonly<Record<string, string>> | undefined;
  /** Word of the choice that means null. */
  noneWord?: string | undefined;
  required?: boolean;
  /** Text of the choice that leaves the setting as it is; absent where there is none. */
  unchanged?: string;
  /** Words of a box that is ticked and of one that is not, where there is that choice. */
  states?: readonly [on: string, off: string];
}

const TYPES = { email: 'email', url: 'url', moment: 'datetime-local' } as const;

/** Draws a setting by its control. */
export function SettingInput(props: SettingInputProps) {
  const { name, label, hint, control, value, problems, choices, unchanged, states } = props;
  const said = states ? { true: states[0], false: states[1] } : choices;
  if (control === 'choice' || (control === 'flag' && unchanged !== undefined)) {
    const options = Object.entries(said ?? {}).map(([each, word]) => ({ value: each, label: word }));
    const word = unchanged ?? props.noneWord;
    const none = word === undefined ? [] : [{ value: '', label: word }];
    return <Select {...{ name, label, value, options: [...none, ...options] }} hint={hint} />;
  }
  if (control === 'flag') {
    return <Check {...{ name, label }} checked={value === 'true'} {...(hint && { hint })} />;
  }
  const field = (
    <Field
      {...{ name, label, hint, value, problems }}
      type={control in TYPES ? TYPES[control as keyof typeof TYPES] : 'text'}
      rows={control === 'lines' ? 3 : 1}
      required={props.required ?? false}
      {...(control === 'number' && { inputmode: 'numeric', autocomplete: 'off' })}
    />
  );
  if (control !== 'color') return field;
  return (
    <div class="swatched">
      {field}
      <svg class="swatch" aria-hidden="true" focusable="false">
        <rect width="100%" height="100%" fill={/^#?\w+$/.test(value) ? value : 'none'} />
      </svg>
    </div>
  );
}

/** Returns a value as the input of its setting shows it. */
export function shownValue(value: SettingValue, timeZone: string) {
  if (value === null) return '';
  return value instanceof Date ? minuteAt(value, timeZone) : String(value);
}

/** Returns what was typed for a setting as the API takes it: where null is allowed, an empty field clears. */
export function typedValue({ shape, isNullable }: Setting<unknown>, typed: string, timeZone: string): unknown {
  const text = BLANKS_COUNT.has(shape.control) ? typed.replace(/\r\n?/g, '\n') : typed.trim();
  if (shape.control === 'flag') return text === 'true';
  if (text === '' && isNullable) return null;
  if (shape.control === 'number') return Number(text);
  if (shape.control === 'moment') return minuteOf(text, timeZone)?.toISOString() ?? text;
  return text;
}

/** Controls of texts in which blanks around are the owner's. */
const BLANKS_COUNT: ReadonlySet<Control> = new Set(['line', 'lines']);

/** Draws one level of several to choose from, with a line on what it means. */
export function LevelCard(props: {
  /** Name of the choice; `level` by default. */
  name?: string;
  value: string;
  isChosen: boolean;
  said: { name: string; hint: string };
  /** A line on what it would have done of late. */
  would?: string;
}) {
  const { name = 'level', value, isChosen, said, would } = props;
  return (
    <label class="level">
      <input type="radio" name={name} value={value} checked={isChosen} />
      <b>{said.name}</b>
      <span class="hint">{said.hint}</span>
      {would !== undefined && <span class="would">{would}</span>}
    </label>
  );
}
