import { applyDecorators } from '@nestjs/common';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import type { Action } from '../../accounts/access/index.js';
import { parseMoment, snakeCase, Flag, Parsed, Text } from '../../platform/index.js';

/** How a page asks for a value. */
export type Control = 'line' | 'lines' | 'email' | 'url' | 'color' | 'flag' | 'number' | 'moment' | 'choice';

/** The kind of values that settings of a shape have, how the API checks them and how a page asks for them. */
export interface Shape<Value> {
  type: 'string' | 'number' | 'boolean' | 'object';
  /** Refuses what is no such value. */
  rule: PropertyDecorator;
  control: Control;
  /** End of the sentence in the API document about values, such as `, at most 255 characters`. */
  limits?: string;
  choices?: readonly Value[];
  /** Least and most, as OpenAPI has them. */
  bounds?: { minimum: number; maximum: number };
  /** The OpenAPI schema of its members; absent for a plain value. */
  members?: object;
  /** The OpenAPI schema of what the API takes, where it takes more than it answers. */
  takes?: { anyOf: object[] };
  /** Reads the value that JSON has; absent where both are the same. */
  revive?: (json: string) => Value;
}

/** The places of settings on the page of a form. */
export const SECTIONS = ['general', 'notifications', 'visitors', 'page', 'spam', 'keep'] as const;
export type Section = (typeof SECTIONS)[number];

/** The words about a setting. */
interface Said<Value> {
  /** Its meaning in the API document, without a full stop. */
  says: string;
  /** Its name in the API; by default that of the property in snake case. */
  name?: string;
  /** Its name in a change of many forms; absent where many are not changed together. */
  many?: string;
  /** How the page of settings asks for it; absent where another page does. */
  page?: OnPage<Value>;
}

interface OnPage<Value> {
  section: Section;
  label: string;
  hint?: string;
  /** Words of the choices. */
  choices?: Readonly<Record<Extract<Value, string>, string>>;
  /** Word of the choice that means null. */
  none?: string;
  /** Whether it stands on the line of the one before. */
  isBeside?: boolean;
}

/** Declares one setting of a form: from this follow its default, API, documentation, audit and page. */
export interface Setting<Value> extends Said<NonNullable<Value>> {
  shape: Shape<NonNullable<Value>>;
  /** The value of a new form. */
  initial: Value;
  /** Meaning of null, such as `keeps them`; absent where null is refused. */
  none?: string;
  isNullable: boolean;
}

/** Declares a setting that always has a value. */
export function setting<Value extends NonNullable<unknown>>(
  shape: Shape<Value>,
  initial: Value,
  said: Said<Value>,
): Setting<Value> {
  return { ...said, shape, initial, isNullable: false };
}

/** Declares a setting that can be null, and is at first. */
export function optional<Value>(shape: Shape<Value>, said: Said<Value> & { none?: string }): Setting<Value | null> {
  return { ...said, shape, initial: null, isNullable: true } as Setting<Value | null>;
}

/** Text of at most `max` characters. */
export function text(options: { max: number; min?: number; trim?: boolean; lines?: boolean }): Shape<string> {
  const { max, min = 0, lines = false } = options;
  const most = max.toLocaleString('en');
  return {
    ...{ type: 'string', rule: Text(options), control: lines ? 'lines' : 'line' },
    limits: min > 0 ? `, ${min} to ${most} characters` : `, at most ${most} characters`,
  };
}

/** Text that `parse` brings into its normal form. */
export function parsed(control: Control, ...rule: Parameters<typeof Parsed>): Shape<string> {
  return { type: 'string', rule: Parsed(...rule), control };
}

export const flag: Shape<boolean> = { type: 'boolean', rule: Flag(), control: 'flag' };

export const moment: Shape<Date> = {
  ...{ type: 'string', control: 'moment', limits: ', ISO 8601' },
  rule: Parsed('wrong_date', parseMoment, 'must be a date and time such as 2030-01-31T18:00+01:00'),
  revive: (json) => new Date(json),
};

/** A whole number from 1 on. */
export function whole(max: number, unit = ''): Shape<number> {
  const message = `must be a whole number${unit && ` of ${unit}`} from 1 to ${max}, or null`;
  return {
    ...{ type: 'number', control: 'number', bounds: { minimum: 1, maximum: max } },
    // The last of them is checked first.
    rule: applyDecorators(Max(max, { message }), Min(1, { message }), IsInt({ message })),
  };
}

/** One of some words. */
export function choice<Word extends string>(choices: readonly Word[]): Shape<Word> {
  const rule = IsIn(choices, { message: `must be one of ${choices.join(', ')}` });
  return { type: 'string', control: 'choice', choices, rule };
}

// oxlint-disable-next-line typescript/no-explicit-any -- settings of all kinds of values
export type Declared = Readonly<Record<string, Setting<any>>>;
export type ValuesOf<Settings extends Declared> = {
  -readonly [Name in keyof Settings]: Settings[Name]['initial'];
};

/** Routes of the API that show and set the settings of a group. */
interface GroupRoutes {
  /** Their comments. */
  show: string;
  set: string;
  /** Permission that people of a client need, besides changing the form. */
  allows?: Action;
}

interface Grouped<Settings> {
  /** Behind the address of the form; its name in the audit log too. */
  path: string;
  settings: Settings;
  /** The column that has them all as JSON; absent where each has its own. */
  column?: string;
  /** Absent where the form itself has them. */
  routes?: GroupRoutes;
}

/** A setting of a group, under its names in code and in the API. */
interface Listed {
  name: string;
  apiName: string;
  declared: Setting<unknown>;
}

/** Holds settings that the API shows and sets together. Columns of the form have them, one each or one together. */
export class SettingGroup<Settings extends Declared = Declared> {
  readonly defaults: ValuesOf<Settings>;
  readonly list: readonly Listed[];

  readonly path: string;
  readonly settings: Settings;
  readonly column: string | undefined;
  readonly routes: GroupRoutes | undefined;

  constructor({ path, settings, column, routes }: Grouped<Settings>) {
    this.path = path;
    this.settings = settings;
    this.column = column;
    this.routes = routes;
    this.list = Object.entries<Setting<unknown>>(settings).map(([name, declared]) => ({
      ...{ name, apiName: declared.name ?? snakeCase(name), declared },
    }));
    const initial = this.list.map(({ name, declared }) => [name, declared.initial]);
    this.defaults = Object.fromEntries(initial) as ValuesOf<Settings>;
  }

  /** Returns the values of a form. */
  of(form: object): ValuesOf<Settings> {
    const stored = form as Record<string, unknown>;
    if (this.column !== undefined) return this.decode(stored[this.column] as string | null);
    const values = this.list.map(({ name }) => [name, stored[name]]);
    return Object.fromEntries(values) as ValuesOf<Settings>;
  }

  /** Returns the columns of a form that a change makes different, with their values. */
  changed(form: object, change: Partial<ValuesOf<Settings>>): Record<string, unknown> {
    if (this.column === undefined) return change;
    return { [this.column]: this.encode({ ...this.of(form), ...change }) };
  }

  /** Reads what `encode` wrote. */
  decode(stored: string | null): ValuesOf<Settings> {
    if (stored === null) return this.defaults;
    return { ...this.defaults, ...this.revived(JSON.parse(stored) as object, 'name') };
  }

  /** Returns the text that is stored: JSON; null where all are as in a new form. */
  encode(values: ValuesOf<Settings>): string | null {
    const differs = this.list.some(({ name }) => values[name] !== this.defaults[name]);
    return differs ? JSON.stringify(values) : null;
  }

  /** Spells settings as the API does; what is left out stays so. */
  spelled(values: Partial<ValuesOf<Settings>>): Record<string, unknown> {
    const given = this.list.filter(({ name }) => values[name] !== undefined);
    return Object.fromEntries(given.map(({ name, apiName }) => [apiName, values[name]]));
  }

  /** Reads settings that are spelled and checked as the API does; what is left out stays so. */
  read(sent: object): Partial<ValuesOf<Settings>> {
    return this.revived(sent, 'apiName');
  }

  private revived(json: object, spelling: 'name' | 'apiName') {
    const found = json as Record<string, unknown>;
    const given = this.list.filter((each) => found[each[spelling]] !== undefined);
    const values = given.map(({ name, declared, ...each }) => {
      const value = found[spelling === 'name' ? name : each.apiName];
      const { revive } = declared.shape;
      return [name, revive && typeof value === 'string' ? revive(value) : value] as const;
    });
    return Object.fromEntries(values) as Partial<ValuesOf<Settings>>;
  }
}
