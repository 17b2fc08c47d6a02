import { Injectable } from '@nestjs/common';
import type { Scope } from '../accounts/access/index.js';
import { FormQueries } from '../forms/form-queries.service.js';
import { HOUR_MS } from '../platform/index.js';
import { CAMPAIGN, facetDigest, nameable, PAGE } from '../submissions/model/facet.js';
import { parsePage } from '../submissions/model/page-address.js';
import { CountersRepository } from './counters.repository.js';
import { endsOf, type Days } from './span.js';
import { stretchesOf, VISITS } from './sums.js';
import { WaitingCounts } from './waiting-counts.service.js';

/** Pages and campaigns that are told apart; the others are one entry. */
const TOP = 10;

/** A visit to a page with a form. */
export interface Visit {
  /** Path of the page. */
  page: string;
  /** Campaign that led there; empty for none. */
  campaign: string;
  /** Whether the visitor began to fill in the form. */
  isStarted: boolean;
}

/** Visits to a page, or by a campaign, and what came of them. */
export interface Visited {
  /** Null for all that are not named. */
  value: string | null;
  views: number;
  starts: number;
  /** Submissions from there that are no spam. */
  submissions: number;
}

/** Visits to pages with a form. */
export interface Visits {
  total: Visited;
  pages: Visited[];
  campaigns: Visited[];
}

/** Counts visits to pages with a form, and nothing that tells one visitor from another. */
@Injectable()
export class VisitsService {
  constructor(
    private readonly counts: WaitingCounts,
    private readonly counters: CountersRepository,
    private readonly forms: FormQueries,
  ) {}

  /** Counts a visit in memory, unless it names no page. */
  count(formId: number, { page, campaign, isStarted }: Visit) {
    const path = page.startsWith('/') ? parsePage(page) : null;
    if (path === null) return;
    const facets = [
      { names: VISITS.pages, facet: { facet: PAGE, name: '', text: nameable(path) } },
      ...(campaign === ''
        ? []
        : [{ names: VISITS.campaigns, facet: { facet: CAMPAIGN, name: '', text: nameable(campaign) } }]),
    ] as const;
    for (const { names, facet } of facets) {
      const counted = { formId, item: facetDigest(facet), text: facet.text };
      this.counts.count({ ...counted, name: names.views });
      if (isStarted) this.counts.count({ ...counted, name: names.starts });
    }
  }

  /** Tells what became of the visits to pages with a form, by page and by campaign. @throws FormNotFound, SpanEmpty */
  async ofForm(scope: Scope, identifier: string, days: Days): Promise<Visits> {
    const { id } = await this.forms.get(scope, identifier);
    const [from = 0, to = 0] = endsOf(days).map((at) => Math.ceil(at.getTime() / HOUR_MS));
    const names = Object.values(VISITS).flatMap(Object.values<string>);
    const of = { ids: [id] };
    const [amounts, texts] = await Promise.all([
      this.counters.amounts(of, { names, by: ['name', 'item'], when: stretchesOf(from, to) }),
      this.counters.texts(of, ['item'], names),
    ]);
    const textOf = new Map(texts.map(({ item, text }) => [item, text]));
    const by = (kind: keyof typeof VISITS) =>
      topOf(
        Object.entries(VISITS[kind]).flatMap(([part, name]) =>
          amounts
            .filter((each) => each.name === name)
            .map(({ item, amount }) => ({ ...NONE, value: textOf.get(item) ?? null, [part]: amount })),
        ),
      );
    const pages = by('pages');
    return { total: pages.reduce(plus, NONE), pages, campaigns: by('campaigns') };
  }
}

const NONE: Visited = { value: null, views: 0, starts: 0, submissions: 0 };

function plus({ value, views, starts, submissions }: Visited, more: Visited): Visited {
  return {
    value,
    views: views + more.views,
    starts: starts + more.starts,
    submissions: submissions + more.submissions,
  };
}

/** Adds up what has the same value, and returns what was visited most, and the rest as one; nothing that was not visited. */
function topOf(all: readonly Visited[]): Visited[] {
  const sums = new Map<string | null, Visited>();
  for (const each of all) sums.set(each.value, plus(each, sums.get(each.value) ?? NONE));
  const visited = [...sums.values()].filter(({ views }) => views > 0).sort((a, b) => b.views - a.views);
  const named = visited.filter(({ value }) => value !== null);
  const rest = [...named.slice(TOP), ...visited.filter(({ value }) => value === null)].reduce(plus, NONE);
  return [...named.slice(0, TOP), ...(rest.views > 0 ? [rest] : [])];
}

/** Returns the share of visits that ended in a submission; null where not all visits were counted. */
export function completionOf({ views, submissions }: Visited) {
  return views === 0 || submissions > views ? null : submissions / views;
}
