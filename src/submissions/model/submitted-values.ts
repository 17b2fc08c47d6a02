import {
  jsonElements,
  objectOfPairs,
  readableJson,
  textMember,
  textOfString,
  tokensOfPairs,
  type JsonMember,
} from '../../platform/kernel/text/json-text.js';
import { answerLines, type AnswerLine } from './answer-lines.js';
import { fold } from './fold.js';
import { addressOfVisitor } from './visitor-address.js';

/**
 * Holds what a visitor sent, as an ordered list of names and values. A value is kept as JSON text: a quoted
 * string from a form, anything from a JSON body. Order, repeated names and every character survive.
 */
export class SubmittedValues {
  #parsed?: unknown[];
  #scalars?: readonly { name: string; text: string }[];

  constructor(readonly members: readonly JsonMember[]) {}

  /** Makes values from names and plain text, as forms send them. */
  static ofPairs(pairs: readonly (readonly [string, string])[]): SubmittedValues {
    return new SubmittedValues(pairs.map(([name, text]) => textMember(name, text)));
  }

  /** Reads what `encode` wrote. */
  static decode(payload: string): SubmittedValues {
    const pairs = JSON.parse(payload) as [string, unknown][];
    if (pairs.every(([, value]) => typeof value === 'string')) {
      return SubmittedValues.ofPairs(pairs as [string, string][]);
    }
    return new SubmittedValues(
      jsonElements(payload).map((pair, index) => ({
        name: pairs[index]?.[0] ?? '',
        json: jsonElements(pair)[1] ?? 'null',
      })),
    );
  }

  /**
   * Returns what `toText` does of what `encode` wrote, with each value as it is written too. Plain values are not
   * parsed, nor copied in other forms, which takes most of the time and memory where they are long.
   */
  static textsIn(payload: string): { name: string; text: string; json: string }[] {
    const tokens = tokensOfPairs(payload);
    if (!tokens) {
      const values = SubmittedValues.decode(payload);
      return values.members.map(({ name, json }, at) => ({ name, text: values.textAt(at), json }));
    }
    const texts = [];
    for (let at = 0; at < tokens.length; at += 2) {
      const json = tokens[at + 1] ?? '';
      const text = json.startsWith('"') ? textOfString(json) : readableJson(json);
      texts.push({ name: textOfString(tokens[at] ?? ''), text, json });
    }
    return texts;
  }

  /** Returns the text that is stored: a JSON array of `[name, value]`. */
  encode(): string {
    return `[${this.members.map(({ name, json }) => `[${JSON.stringify(name)},${json}]`).join(',')}]`;
  }

  /** Returns the `values` object of the API, as `toJson` does, of what `encode` wrote. */
  static jsonOf(payload: string): string {
    return objectOfPairs(payload) ?? SubmittedValues.decode(payload).toJson();
  }

  /**
   * Returns the `values` object of the API as JSON text: a name's only value, or the list of its values in
   * order. An object would put names that look like numbers first.
   */
  toJson(): string {
    const entries = [...this.byName()].map(([name, json]) => `${JSON.stringify(name)}:${json}`);
    return `{${entries.join(',')}}`;
  }

  /** Returns the value of each field as JSON text: its only one, or the list of its values in order. */
  byName(): Map<string, string> {
    const all = new Map<string, string[]>();
    for (const { name, json } of this.members) {
      const values = all.get(name);
      if (values) values.push(json);
      else all.set(name, [json]);
    }
    const one = (values: string[]) =>
      values.length === 1 ? (values[0] ?? '') : `[${values.join(',')}]`;
    return new Map([...all].map(([name, values]) => [name, one(values)]));
  }

  /** Returns names and values as a person reads them: text as it is, other JSON with letters for their escapes. */
  toText(): { name: string; text: string }[] {
    return this.members.map(({ name }, index) => ({ name, text: this.textAt(index) }));
  }

  /** Returns a line for each value, also for those in objects and lists. */
  lines(): AnswerLine[] {
    return answerLines(this.members);
  }

  /** Returns the visitor's address; null where none is sent, or several that nothing tells apart. */
  visitor(): string | null {
    return addressOfVisitor(this);
  }

  /** Returns all values, and the names of the files beside them, as a search compares them, one a line. */
  searchText(fileNames: readonly string[] = []): string {
    const texts = this.members.map((_, index) => this.textAt(index));
    return fold([...texts, ...fileNames].join('\n'));
  }

  /** Returns every plain value under its name, those in a list one by one. These can be looked up. */
  scalars(): readonly { name: string; text: string }[] {
    return (this.#scalars ??= this.findScalars());
  }

  /** Returns every value under its name, those in a list one by one, as a person reads them; nothing for null. */
  items(): { name: string; text: string }[] {
    return this.members.flatMap(({ name }, index) => {
      const value = this.parsed[index];
      const items = Array.isArray(value) ? (value as unknown[]) : [value];
      return items.flatMap((item) => {
        if (item === null) return [];
        return { name, text: typeof item === 'string' ? item : JSON.stringify(item) };
      });
    });
  }

  /**
   * Returns them with these fields changed: a field keeps its place, a new one comes last.
   * @param changes JSON texts by name; null takes a field away
   */
  with(changes: ReadonlyMap<string, string | null>): SubmittedValues {
    const left = new Map(changes);
    const members = this.members.flatMap((member) => {
      const { name } = member;
      const json = changes.get(name);
      if (json === undefined) return [member];
      const isFirst = left.delete(name);
      return json === null || !isFirst ? [] : [{ name, json }];
    });
    const added = [...left].flatMap(([name, json]) => (json === null ? [] : [{ name, json }]));
    return new SubmittedValues([...members, ...added]);
  }

  /** Tells whether `name` has exactly this value. */
  has(name: string, text: string): boolean {
    return this.scalars().some((scalar) => scalar.name === name && scalar.text === text);
  }

  private findScalars(): { name: string; text: string }[] {
    const found: { name: string; text: string }[] = [];
    this.members.forEach(({ name }, index) => {
      const value = this.parsed[index];
      for (const item of Array.isArray(value) ? (value as unknown[]) : [value]) {
        if (typeof item === 'string') found.push({ name, text: item });
        else if (typeof item !== 'object') found.push({ name, text: JSON.stringify(item) });
      }
    });
    return found;
  }

  /** Parses each value once. */
  private get parsed(): unknown[] {
    return (this.#parsed ??= this.members.map(
      ({ json, text }) => text ?? (JSON.parse(json) as unknown),
    ));
  }

  private textAt(index: number): string {
    const value = this.parsed[index];
    return typeof value === 'string' ? value : readableJson(this.members[index]?.json ?? '');
  }
}
