import type { FieldProblem } from '../../platform/kernel/errors.js';
import { fieldLabel } from './field-label.js';
import type { PatternMatcher } from './field-pattern.js';
import { problemOf, type SentFile, type Value } from './field-rules.js';
import type { Field, FieldKind } from './field.js';

/** The properties of a field that are rules for what is sent. */
const RULES = [
  ...['required', 'min', 'max', 'minLength', 'maxLength', 'pattern', 'choices'],
  ...['fileTypes', 'maxFileBytes', 'unique'],
] as const satisfies (keyof Field)[];
/** Kinds that take only some values. */
const STRICT: ReadonlySet<FieldKind> = new Set(['email', 'url', 'tel', 'number', 'date']);

/** Tells whether a field can be broken by what is sent. */
export function hasRules(field: Field): boolean {
  return STRICT.has(field.kind) || RULES.some((rule) => field[rule] !== undefined);
}

/** Actions for a submission that breaks rules: ask its visitor to correct it, or store and hold it. */
export const ON_FAILURE = ['refuse', 'hold'] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

/** Holds the fields of a form in their order, and what happens to a submission that breaks one. */
export class FormFields {
  static readonly NONE = new FormFields([]);

  private readonly byName: ReadonlyMap<string, Field>;
  /** The fields that can be broken. */
  readonly rules: readonly Field[];

  constructor(
    readonly list: readonly Field[],
    readonly onFailure: OnFailure = 'refuse',
  ) {
    this.byName = new Map(list.map((field) => [field.name, field]));
    this.rules = list.filter(hasRules);
  }

  /** Reads what `encode` wrote. */
  static decode(text: string | null): FormFields {
    if (text === null) return FormFields.NONE;
    const { fields, onFailure } = JSON.parse(text) as { fields: Field[]; onFailure: OnFailure };
    return new FormFields(fields, onFailure);
  }

  /** Returns the text that is stored: JSON; null when nothing is known. */
  encode(): string | null {
    const { list: fields, onFailure } = this;
    if (fields.length === 0 && onFailure === 'refuse') return null;
    return JSON.stringify({ fields, onFailure });
  }

  /** Returns the field of this name; null for one that is not listed. */
  of(name: string): Field | null {
    return this.byName.get(name) ?? null;
  }

  /** Returns what people read of a field: the owner's label, else one made from its name. */
  labelOf(name: string): string {
    return this.byName.get(name)?.label ?? fieldLabel(name);
  }

  /** Returns answers in the order of the fields; those of no field follow as they were sent. */
  sorted<T extends { name: string }>(answers: readonly T[]): T[] {
    const order = new Map(this.list.map(({ name }, index) => [name, index]));
    const placeOf = ({ name }: T) => order.get(name) ?? order.size;
    return [...answers].sort((one, other) => placeOf(one) - placeOf(other));
  }

  /** Returns the names of the fields that rows of the inbox show; null where nobody has chosen. */
  get inInbox(): string[] | null {
    const names = this.list.filter(({ inInbox }) => inInbox).map(({ name }) => name);
    return names.length > 0 ? names : null;
  }

  /** Tells whether submissions that break a field are stored, and held. */
  get holds(): boolean {
    return this.rules.length > 0 && this.onFailure === 'hold';
  }

  /**
   * Returns the fields that a submission breaks, in their order, each with the first rule that it breaks.
   * @param matcher says whether all patterns were looked at
   */
  problemsOf(
    values: readonly Value[],
    files: readonly SentFile[],
    matcher: PatternMatcher,
  ): FieldProblem[] {
    if (this.rules.length === 0) return [];
    const texts = new Map<string, string[]>(this.rules.map(({ name }) => [name, []]));
    for (const { name, text } of values) texts.get(name)?.push(text);
    return this.rules.flatMap((field) => {
      const own = files.filter((file) => file.field === field.name);
      const problem = problemOf(field, texts.get(field.name) ?? [], own, matcher);
      return problem ? [{ field: field.name, ...problem }] : [];
    });
  }

  /** Returns them with these labels and no others, the labelled ones first in this order. */
  withLabels(labels: readonly { name: string; label: string }[]): FormFields {
    const known = labels.map(({ name, label }) => ({ ...this.fieldOf(name), label }));
    const names = new Set(labels.map(({ name }) => name));
    const others = this.list.filter(({ name }) => !names.has(name));
    return this.with([...known, ...others.map(({ label: _, ...field }) => field)]);
  }

  /** Returns them with these rules and no others. */
  withRules(rules: readonly Field[], onFailure?: OnFailure): FormFields {
    const given = new Map(rules.map((rule) => [rule.name, rule]));
    const kept = this.list.map((field) => ({ ...plain(field), ...given.get(field.name) }));
    const added = rules.filter(({ name }) => !this.byName.has(name));
    return new FormFields([...kept, ...added].filter(isKnown), onFailure);
  }

  /** Returns them with exactly these in the inbox. */
  inInboxOnly(names: readonly string[]): FormFields {
    const listed = this.list.map(({ inInbox: _, ...field }) => {
      return names.includes(field.name) ? { ...field, inInbox: true } : field;
    });
    const added = names.filter((name) => !this.byName.has(name));
    return this.with([...listed, ...added.map((name) => ({ ...NEW, name, inInbox: true }))]);
  }

  private fieldOf(name: string): Field {
    return this.byName.get(name) ?? { ...NEW, name };
  }

  private with(list: readonly Field[]): FormFields {
    return new FormFields(list.filter(isKnown), this.onFailure);
  }
}

const NEW = { kind: 'text' } as const;

/** Returns a field without its rules. */
function plain({ name, kind, label, help, inInbox }: Field): Field {
  const isFree = !STRICT.has(kind) && kind !== 'choice' && kind !== 'choices';
  return {
    ...{ name, kind: isFree ? kind : 'text' },
    ...(label !== undefined && { label }),
    ...(help !== undefined && { help }),
    ...(inInbox === true && { inInbox }),
  };
}

/** Tells whether anything is known of a field but its name. */
function isKnown({ name: _, kind, ...known }: Field): boolean {
  return kind !== 'text' || Object.keys(known).length > 0;
}
