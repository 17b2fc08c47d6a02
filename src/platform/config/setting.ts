/** Reads the value of a setting. @returns null for a wrong one */
type Read<T> = (text: string) => T | null;

interface Description {
  /** The value of an unset variable, as an operator would write it; empty for a list without entries. */
  default?: string | number;
  /** Tells what an unset variable leads to. */
  unset?: string;
  /** Ends the sentence about a wrong value, in which `{example}` is `example`, else the default. */
  must?: string;
  example?: string | number;
  /** Tells operators in Markdown what it is for; `{range}` is the least and the most of a number. */
  doc: string;
}

/** A variable of the environment. */
export class Setting<T> {
  constructor(
    readonly name: string,
    private readonly kind: Read<T> & { must?: string; range?: string },
    private readonly description: Description,
  ) {}

  /** Text of the default; empty for none. */
  get default() {
    return String(this.description.default ?? '');
  }

  get unset() {
    return this.description.unset ?? '';
  }

  get doc() {
    return this.description.doc.replace('{range}', this.kind.range ?? '');
  }

  /** Ends the sentence "PORT must". */
  get must() {
    const { must = this.kind.must ?? 'be valid', example = this.default } = this.description;
    return must.replace('{example}', String(example));
  }

  /** @returns null for a wrong text; undefined for none where the setting has no default */
  read(text?: string): T | null | undefined {
    if (text !== undefined) return this.kind(text);
    return this.description.default === undefined ? undefined : this.kind(this.default);
  }
}

export function setting<T>(
  name: string,
  kind: Read<T>,
  description: Description & { default: string | number },
): Setting<T>;
export function setting<T>(name: string, kind: Read<T>, description: Description): Setting<T | undefined>;
export function setting<T>(name: string, kind: Read<T>, description: Description): Setting<T> {
  return new Setting(name, kind, description);
}

/** Settings by the name that the code has for each; a group of them has a name too. */
export interface Group {
  readonly [name: string]: Setting<unknown> | Group;
}

/** Values of settings, by the same names. */
export type Values<G> = {
  readonly [K in keyof G]: G[K] extends Setting<infer T> ? T : Values<G[K]>;
};

/** Returns the values of settings. @param valueOf returns that of one */
export function valuesOf<G extends Group>(group: G, valueOf: (setting: Setting<unknown>) => unknown): Values<G> {
  const entries = Object.entries(group).map(([name, it]) => [
    name,
    it instanceof Setting ? valueOf(it) : valuesOf(it, valueOf),
  ]);
  return Object.fromEntries(entries) as Values<G>;
}

/** Returns the settings of a group, and of groups in it. */
export function settingsOf(group: Group): Setting<unknown>[] {
  return Object.values(group).flatMap((it) => (it instanceof Setting ? [it] : settingsOf(it)));
}

/** Takes a text as it is. */
export const text: Read<string> = (given) => given;

/** Takes texts that match. */
export function matching(pattern: RegExp): Read<string> {
  return taking((given) => pattern.test(given));
}

/** Takes texts that pass a check. */
export function taking(isRight: (given: string) => boolean): Read<string> {
  return (given) => (isRight(given) ? given : null);
}

/** Reads texts, and says what they must be. */
export function kind<T>(read: Read<T>, must: string): Read<T> {
  return Object.assign((given: string) => read(given), { must });
}

/** Takes one of some words. */
export function oneOf<const W extends string>(...words: W[]): Read<W> {
  const last = words.length - 1;
  return kind(
    (given) => words.find((word) => word === given) ?? null,
    `be ${words.slice(0, last).join(', ')} or ${words[last] ?? ''}`,
  );
}

/** Reads whole numbers from `min` to `max`. @param unit for the sentence about a wrong one */
export function whole(min: number, max: number, unit = ''): Read<number> {
  const read = (given: string) => {
    const number = /^\d{1,16}$/.test(given) ? Number(given) : NaN;
    return number >= min && number <= max ? number : null;
  };
  const of = unit && ` of ${unit}`;
  const must = `be a whole number${of} from ${min} to ${max}, such as {example}`;
  return Object.assign(read, { must, range: `${min} to ${max}` });
}
