/**
 * Returns the name of a field as a person reads it: `first_name` and `firstName` are "First name".
 * A name that is already written in words, or holds anything but letters, digits, `_`, `-` and `.`,
 * stays as it is. Of a path such as `form.webhook_url` the last part counts.
 */
export function fieldLabel(name: string): string {
  if (!/^[a-z][\w.-]*$/i.test(name)) return name;
  const last = name.split('.').findLast((part) => part !== '') ?? name;
  const spaced = last
    .replace(
      /([a-z\d])([A-Z])/g,
      (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
    )
    .replace(/[_-]+/g, ' ')
    .trim();
  return spaced === '' ? name : spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/** Most labels of a form: as many rows as a page of them shows. */
export const LABELS_MAX = 100;
/** Longest label, in characters. */
export const LABEL_MAX = 100;

/** A field of a form and what people read in place of its name. */
export interface FieldLabel {
  name: string;
  label: string;
}

/** Holds the labels that an owner gave to the fields of a form, in the order in which they are shown. */
export class FieldLabels {
  private readonly labels: Map<string, string>;

  constructor(readonly list: readonly FieldLabel[]) {
    this.labels = new Map(list.map(({ name, label }) => [name, label]));
  }

  /** Reads what `encode` wrote. */
  static decode(text: string | null): FieldLabels {
    const pairs = JSON.parse(text ?? '[]') as [string, string][];
    return new FieldLabels(pairs.map(([name, label]) => ({ name, label })));
  }

  /** Returns the text that is stored: a JSON array of `[name, label]`; null for no labels. */
  encode(): string | null {
    if (this.list.length === 0) return null;
    return JSON.stringify(this.list.map(({ name, label }) => [name, label]));
  }

  /** Returns the label of a field: the owner's, else one made from its name. */
  of(name: string): string {
    return this.labels.get(name) ?? fieldLabel(name);
  }

  /** Returns answers in the owner's order; fields without a label follow as they were sent. */
  sorted<T extends { name: string }>(answers: readonly T[]): T[] {
    const order = new Map([...this.labels.keys()].map((name, index) => [name, index]));
    const placeOf = ({ name }: T) => order.get(name) ?? order.size;
    return [...answers].sort((one, other) => placeOf(one) - placeOf(other));
  }
}
