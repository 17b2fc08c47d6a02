import { Injectable } from '@nestjs/common';
import type { Scope } from '../../access/principal.js';
import { FormQueries } from '../../forms/form-queries.service.js';
import { HOUR_MS } from '../../platform/kernel/time.js';
import { endsOf, type Days } from '../span.js';
import { countersOf, type Counters } from '../counts/sums.js';
import { COUNTRY, FIELD, ORIGIN, PAGE } from '../../submissions/model/facet.js';
import { FacetCountsRepository, type FacetSum } from './facet-values.repository.js';
import { stretchesOf } from './stretches.js';
import { filterPart, momentText, valuePart } from '../../submissions/filter/filter-line.js';
import { NONE } from '../../submissions/model/page-address.js';

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
  of: Counters;
  narrowing: Narrowing;
}

/** Tells by which pages, origins, countries and values submissions that are not spam are divided. */
@Injectable()
export class FacetsService {
  constructor(
    private readonly counts: FacetCountsRepository,
    private readonly lists: FormQueries,
  ) {}

  /**
   * Tells from which pages and origins a form, or all forms in the scope, received most.
   * @param identifier null for all forms
   * @throws FormNotFound, SpanEmpty
   */
  async pages(
    scope: Scope,
    identifier: string | null,
    days: Days,
  ): Promise<{ pages: Top; origins: Top }> {
    const asked = await this.asked(scope, identifier, days);
    const [pages, origins] = await Promise.all([this.top(asked, PAGE), this.top(asked, ORIGIN)]);
    return { pages, origins };
  }

  /**
   * Tells from which countries a form, or all forms in the scope, received most.
   * @param identifier null for all forms
   * @throws FormNotFound, SpanEmpty
   */
  async countries(scope: Scope, identifier: string | null, days: Days): Promise<Top> {
    return this.top(await this.asked(scope, identifier, days), COUNTRY);
  }

  /**
   * Tells the values of those fields of a form that have few.
   * @throws FormNotFound, SpanEmpty
   */
  async values(scope: Scope, identifier: string, days: Days): Promise<FieldTop[]> {
    const asked = await this.asked(scope, identifier, days);
    const byField = new Map<string, FacetSum[]>();
    for (const sum of await this.read(asked, FIELD)) {
      byField.set(sum.name, [...(byField.get(sum.name) ?? []), sum]);
    }
    return [...byField]
      .filter(([, sums]) => sums.some(({ text }) => text !== null))
      .map(([field, sums]) => ({
        field,
        ...topOf(sums, Infinity, (text) => filterOf(FIELD, field, text, asked.narrowing)),
      }))
      .sort((a, b) => (a.field < b.field ? -1 : 1));
  }

  private async top(asked: Asked, facet: number): Promise<Top> {
    const sums = await this.read(asked, facet);
    return topOf(sums, TOP, (text) => filterOf(facet, '', text, asked.narrowing));
  }

  private read({ of, narrowing }: Asked, facet: number): Promise<FacetSum[]> {
    const [from, to] = [narrowing.from, narrowing.to].map((at) =>
      Math.ceil(at.getTime() / HOUR_MS),
    ) as [number, number];
    return this.counts.sums(of, facet, stretchesOf(from, to));
  }

  private async asked(scope: Scope, identifier: string | null, days: Days): Promise<Asked> {
    const form = identifier === null ? null : await this.lists.get(scope, identifier);
    const [from, to] = endsOf(days);
    const of = await countersOf(this.lists, scope, form);
    return { of, narrowing: { form: form?.identifier ?? null, from, to } };
  }
}

/** Adds up what is the same in several forms, and returns what has most. */
function topOf(
  sums: readonly FacetSum[],
  limit: number,
  lineOf: (text: string) => string | null,
): Top {
  const byDigest = new Map<string, { text: string | null; submissions: number }>();
  for (const { digest, text, submissions } of sums) {
    const known = byDigest.get(digest);
    byDigest.set(digest, {
      text: known?.text ?? text,
      submissions: submissions + (known?.submissions ?? 0),
    });
  }
  const named: TopValue[] = [];
  let other = 0;
  for (const { text, submissions } of byDigest.values()) {
    if (text === null) other += submissions;
    else if (submissions > 0) named.push({ value: text, submissions, line: lineOf(text) });
  }
  named.sort((a, b) => b.submissions - a.submissions || (a.value < b.value ? -1 : 1));
  const rest = named.slice(limit).reduce((sum, { submissions }) => sum + submissions, 0);
  return { values: named.slice(0, limit), other: Math.max(other + rest, 0) };
}

/** The form and the time that counts are of. */
interface Narrowing {
  /** Identifier; null for all forms. */
  form: string | null;
  from: Date;
  to: Date;
}

/** Returns the line of a filter for what a count is about; null when no line can say it. */
function filterOf(
  facet: number,
  field: string,
  text: string,
  { form, from, to }: Narrowing,
): string | null {
  const part = partOf(facet, field, text);
  if (part === null) return null;
  return [
    ...(form === null ? [] : [filterPart('form', form)]),
    part,
    filterPart('from', momentText(from)),
    filterPart('to', momentText(to)),
  ].join(' ');
}

function partOf(facet: number, field: string, text: string): string | null {
  if (facet === FIELD) return valuePart(field, text);
  const key = facet === PAGE ? 'page' : facet === ORIGIN ? 'origin' : 'country';
  return text.includes('"') || text.startsWith('//')
    ? null
    : filterPart(key, text === '' ? NONE : text);
}
