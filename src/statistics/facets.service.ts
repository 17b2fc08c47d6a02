import { Injectable } from '@nestjs/common';
import type { Scope } from '../accounts/access/index.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { HOUR_MS } from '../platform/index.js';
import { endsOf, type Days } from './span.js';
import { COUNTRIES, countersOf, FIELDS, ORIGINS, PAGES, type Whose, stretchesOf } from './sums.js';
import { CountersRepository } from './counters.repository.js';
import { filterPart, momentText, valuePart } from '../submissions/filter/filter-line.js';
import { NONE } from '../submissions/model/page-address.js';

/** Pages, origins and countries that are told apart; the others are one number. */
const TOP = 10;

/** A value with its number of submissions. */
export interface TopValue {
  /** Empty: the browser did not say. */
  value: string;
  submissions: number;
  /** The line of a filter that finds them; null when no line can. */
  line: string | null;
}

/** Values with the most submissions, in descending order, and the sum of the rest. */
export interface Top {
  values: TopValue[];
  other: number;
}

/** The values of a field. */
export interface FieldTop extends Top {
  field: string;
}

/** Whose counts are asked for, and when. */
interface Asked {
  of: Whose;
  narrowing: Narrowing;
}

/** Tells by which pages, origins, countries and values submissions that are not spam are divided. */
@Injectable()
export class FacetsService {
  constructor(
    private readonly counters: CountersRepository,
    private readonly lists: FormQueries,
  ) {}

  /**
   * Tells from which pages and origins a form, or all forms in the scope, received most.
   * @param identifier null for all forms
   * @throws FormNotFound, SpanEmpty
   */
  async pages(scope: Scope, identifier: string | null, days: Days): Promise<{ pages: Top; origins: Top }> {
    const asked = await this.asked(scope, identifier, days);
    const [pages, origins] = await Promise.all([this.top(asked, PAGES), this.top(asked, ORIGINS)]);
    return { pages, origins };
  }

  /**
   * Tells from which countries a form, or all forms in the scope, received most.
   * @param identifier null for all forms
   * @throws FormNotFound, SpanEmpty
   */
  async countries(scope: Scope, identifier: string | null, days: Days): Promise<Top> {
    return this.top(await this.asked(scope, identifier, days), COUNTRIES);
  }

  /**
   * Tells the values of those fields of a form that have few: of what was sent in them, at least half has a name.
   * @throws FormNotFound, SpanEmpty
   */
  async values(scope: Scope, identifier: string, days: Days): Promise<FieldTop[]> {
    const asked = await this.asked(scope, identifier, days);
    const texts = await this.counters.texts(asked.of, ['name', 'item']);
    const fields = [...new Set(texts.map(({ name }) => name))].filter((name) => name.startsWith(FIELDS));
    const amounts = await this.amounts(asked, fields);
    return fields.sort().flatMap((name) => {
      const isOwn = (each: { name: string }) => each.name === name;
      const lines = (text: string) => lineOf(asked, name, text);
      const found = topOf(amounts.filter(isOwn), texts.filter(isOwn), Infinity, lines);
      const named = found.values.reduce((sum, { submissions }) => sum + submissions, 0);
      return named === 0 || named < found.other ? [] : [{ field: name.slice(FIELDS.length), ...found }];
    });
  }

  private async top(asked: Asked, name: string): Promise<Top> {
    const [texts, amounts] = await Promise.all([
      this.counters.texts(asked.of, ['item'], [name]),
      this.amounts(asked, [name]),
    ]);
    return topOf(amounts, texts, TOP, (text) => lineOf(asked, name, text));
  }

  private async amounts({ of, narrowing: { from, to } }: Asked, names: readonly string[]) {
    if (names.length === 0) return [];
    const [first = 0, end = 0] = [from, to].map((at) => Math.ceil(at.getTime() / HOUR_MS));
    return this.counters.amounts(of, { ...{ names, by: ['name', 'item'] as const }, when: stretchesOf(first, end) });
  }

  private async asked(scope: Scope, identifier: string | null, days: Days): Promise<Asked> {
    const form = identifier === null ? null : await this.lists.get(scope, identifier);
    const [from, to] = endsOf(days);
    const of = await countersOf(this.lists, scope, form);
    return { of, narrowing: { form: form?.identifier ?? null, from, to } };
  }
}

/** Adds up what is the same, and returns what has most. */
function topOf(
  amounts: readonly { item: string; amount: number }[],
  texts: readonly { item: string; text: string | null }[],
  limit: number,
  lineOf: (text: string) => string | null,
): Top {
  const textOf = new Map(texts.map(({ item, text }) => [item, text]));
  const sums = new Map<string | null, number>();
  for (const { item, amount } of amounts) {
    const text = textOf.get(item) ?? null;
    sums.set(text, (sums.get(text) ?? 0) + amount);
  }
  const named: TopValue[] = [];
  for (const [value, submissions] of sums) {
    if (value !== null && submissions > 0) named.push({ value, submissions, line: lineOf(value) });
  }
  named.sort((a, b) => b.submissions - a.submissions || (a.value < b.value ? -1 : 1));
  const rest = named.slice(limit).reduce((sum, { submissions }) => sum + submissions, 0);
  return { values: named.slice(0, limit), other: Math.max((sums.get(null) ?? 0) + rest, 0) };
}

/** The form and the time that counts are of. */
interface Narrowing {
  /** Identifier; null for all forms. */
  form: string | null;
  from: Date;
  to: Date;
}

/** Returns the line of a filter for what a count is about; null when no line can say it. */
function lineOf({ narrowing: { form, from, to } }: Asked, name: string, text: string) {
  const part = partOf(name, text);
  if (part === null) return null;
  return [
    ...(form === null ? [] : [filterPart('form', form)]),
    part,
    filterPart('from', momentText(from)),
    filterPart('to', momentText(to)),
  ].join(' ');
}

function partOf(name: string, text: string) {
  if (name.startsWith(FIELDS)) return valuePart(name.slice(FIELDS.length), text);
  return text.includes('"') || text.startsWith('//') ? null : filterPart(name, text === '' ? NONE : text);
}
