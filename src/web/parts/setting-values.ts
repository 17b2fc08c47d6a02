import type { SettingValue } from '../../forms/model/setting-groups.js';
import type { Control, Setting } from '../../forms/model/setting.js';
import { minuteAt, minuteOf } from '../../platform/kernel/time.js';

/** Returns a value as the input of its setting shows it. */
export function shownValue(value: SettingValue, timeZone: string): string {
  if (value === null) return '';
  return value instanceof Date ? minuteAt(value, timeZone) : String(value);
}

/** Returns what was typed for a setting as the API takes it: where null is allowed, an empty field clears. */
export function typedValue(
  { shape, isNullable }: Setting<unknown>,
  typed: string,
  timeZone: string,
): unknown {
  const text = BLANKS_COUNT.has(shape.control) ? typed.replace(/\r\n?/g, '\n') : typed.trim();
  if (shape.control === 'flag') return text === 'true';
  if (text === '' && isNullable) return null;
  if (shape.control === 'number') return Number(text);
  if (shape.control === 'moment') return minuteOf(text, timeZone)?.toISOString() ?? text;
  return text;
}

/** Controls of texts in which blanks around are the owner's. */
const BLANKS_COUNT: ReadonlySet<Control> = new Set(['line', 'lines']);
