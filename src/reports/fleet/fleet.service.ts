import { Injectable } from '@nestjs/common';
import type { Form } from '../../forms/model/form.entity.js';
import type { FormWatch } from '../../health/watch/form-watch.entity.js';
import { WatchService } from '../../health/watch/watcher.js';
import type { Principal, Scope } from '../../accounts/access/index.js';
import type { Client } from '../../clients/client.entity.js';
import { ClientsService } from '../../clients/clients.service.js';
import { FormQueries, type FormSummary, type Slice } from '../../forms/form-queries.service.js';
import type { FormShut } from '../../forms/model/form.errors.js';
import { IntakeGate } from '../../forms/model/intake-gate.js';
import { wordsIn, Clock, DAY_MS } from '../../platform/index.js';
import { InboxService } from '../../search/inbox/inbox.service.js';
import { StatisticsService } from '../../statistics/statistics.service.js';
import { NOTHING, type Sums } from '../../statistics/sums.js';
import type { FindingRow } from '../../health/finding.entity.js';
import { HealthService } from '../../health/health.service.js';
import {
  failedOf,
  spamShare,
  FORMS_COMPARED_MAX,
  isPlain,
  sortedBy,
  type Column,
  type FleetFilter,
  type FleetOrder,
} from './fleet-filter.js';

/** Days that count as recent, today as the last. */
const RECENT_DAYS = 30;

/** Sums that a form received lately. */
export interface Received extends Sums {
  /** Submissions on each of the days, today last. */
  days: readonly number[];
  latestAt: Date | null;
}

/** A form with how it fares. */
export interface FleetForm {
  form: Pick<Form, 'id' | 'name' | 'identifier' | 'submissionCount'>;
  /** The clients that see it; none for who may not know. */
  clients: Pick<Client, 'id' | 'name'>[];
  /** Null for who may not see submissions. */
  received: Received | null;
  /** Null for who may not see submissions. */
  watch: FormWatch | null;
  /** Findings about it alone. */
  findings: FindingRow[];
  /** Why it takes no submissions; null if it takes them. */
  shut: FormShut | null;
}

/** A page of the forms that a filter means. */
export interface FleetPage {
  forms: FleetForm[];
  total: number;
  /** Whether there are more forms than a filter or an order goes through. */
  isCut: boolean;
}

/** Shows how all forms of a scope fare, by a few queries for each page. */
@Injectable()
export class FleetService {
  constructor(
    private readonly lists: FormQueries,
    private readonly clients: ClientsService,
    private readonly inbox: InboxService,
    private readonly statistics: StatisticsService,
    private readonly health: HealthService,
    private readonly clock: Clock,
    private readonly watches: WatchService,
  ) {}

  /** Returns a page of the forms that a filter means. */
  async page(principal: Principal, filter: FleetFilter, order: FleetOrder, slice: Slice): Promise<FleetPage> {
    if (isPlain(filter, order)) {
      const [total, forms] = await Promise.all([this.lists.count(principal), this.lists.list(principal, slice)]);
      return { forms: await this.faring(principal, forms), total, isCut: false };
    }
    const { forms, isCut } = await this.meant(principal, filter);
    const sorted = await this.sorted(principal, forms, order);
    const from = (slice.page - 1) * slice.perPage;
    const shown = await this.faring(principal, sorted.slice(from, from + slice.perPage));
    return { forms: shown, total: forms.length, isCut };
  }

  /** Returns the forms that a filter means, oldest first. */
  async meant(principal: Principal, filter: FleetFilter): Promise<{ forms: FormSummary[]; isCut: boolean }> {
    const scope = scopeOf(principal, filter);
    const most = FORMS_COMPARED_MAX + 1;
    const found =
      filter.q === '' ? await this.lists.after(scope, 0, most) : await this.lists.named(scope, wordsIn(filter.q), most);
    const forms = found.slice(0, FORMS_COMPARED_MAX);
    const isCut = found.length > FORMS_COMPARED_MAX;
    return { forms: filter.hasProblems ? await this.troubled(principal, forms) : forms, isCut };
  }

  /** Returns which of these forms have problems of their own. */
  private async troubled(principal: Principal, forms: FormSummary[]) {
    const told = await this.health.list(principal);
    const troubled = new Set(told.map(({ form }) => form?.id));
    return forms.filter(({ id }) => troubled.has(id));
  }

  private async sorted(principal: Principal, forms: FormSummary[], { column, isReversed }: FleetOrder) {
    if (column === 'created') return isReversed ? forms.toReversed() : forms;
    return sortedBy(forms, await this.valuesOf(principal, forms, column), isReversed);
  }

  /** Returns what tells a form's value in a column. */
  private async valuesOf(
    principal: Principal,
    forms: FormSummary[],
    column: Exclude<Column, 'created'>,
  ): Promise<(form: FormSummary) => string | number> {
    if (column === 'name') return ({ name }) => name;
    if (column === 'submissions') return ({ submissionCount }) => submissionCount;
    if (column === 'client') {
      const clients = await this.clientsOf(principal, forms);
      // Those that no client sees come last.
      return ({ id }) => clients.get(id)?.[0]?.name ?? '\u{10ffff}';
    }
    if (!principal.may('see')) return () => 0;
    if (column === 'latest') {
      const latest = await this.inbox.latest(forms);
      return ({ id }) => latest.get(id)?.getTime() ?? 0;
    }
    const sums = await this.sumsOf(principal, forms);
    return ({ id }) => VALUES[column](sums.get(id) ?? NOTHING);
  }

  /** Adds to forms how they fare, in the same order. */
  private async faring(principal: Principal, forms: readonly FormSummary[]): Promise<FleetForm[]> {
    const ids = forms.map(({ id }) => id);
    const full = await this.lists.inFull(principal, ids);
    const [findings, clients, received, watches] = await Promise.all([
      this.health.ofForms(principal, forms),
      this.clientsOf(principal, forms),
      principal.may('see') ? this.receivedBy(principal, forms) : null,
      principal.may('see') ? this.watches.ofEach(full) : null,
    ]);
    const byId = new Map(full.map((form) => [form.id, form]));
    const now = this.clock.now();
    return ids.flatMap((id) => {
      const form = byId.get(id);
      if (!form) return [];
      return [
        {
          form,
          clients: clients.get(id) ?? [],
          received: received?.(id) ?? null,
          watch: watches?.get(id) ?? null,
          findings: findings.get(id) ?? [],
          shut: IntakeGate.of(form).closedFor(form, now),
        },
      ];
    });
  }

  private async receivedBy(scope: Scope, forms: readonly FormSummary[]): Promise<(id: number) => Received> {
    const [sums, days, latest] = await Promise.all([
      this.sumsOf(scope, forms),
      this.statistics.lastDays(forms, RECENT_DAYS, this.clock.now()),
      this.inbox.latest(forms),
    ]);
    return (id) => ({ ...(sums.get(id) ?? NOTHING), days: days.get(id) ?? [], latestAt: latest.get(id) ?? null });
  }

  private sumsOf(scope: Scope, forms: readonly FormSummary[]) {
    const today = Math.floor(this.clock.now().getTime() / DAY_MS);
    const [from, to] = [today - RECENT_DAYS + 1, today + 1].map((day) => new Date(day * DAY_MS));
    if (!from || !to) return Promise.resolve(new Map<number, Sums>());
    return this.statistics.ofEach(forms, from, to);
  }

  /** Returns the clients that see each form, in the order of their names. */
  private async clientsOf(principal: Principal, forms: readonly FormSummary[]): Promise<Map<number, Client[]>> {
    if (principal.clientId !== null || !principal.has('clients:read')) return new Map();
    const granted = await this.lists.clientsOfEach(forms.map(({ id }) => id));
    const found = await this.clients.among(principal, [...new Set([...granted.values()].flat())]);
    found.sort((one, other) => one.name.localeCompare(other.name));
    return new Map([...granted].map(([formId, ids]) => [formId, found.filter(({ id }) => ids.includes(id))]));
  }
}

/** Values of the columns that are counted. */
const VALUES: Record<'recent' | 'spam' | 'failed', (sums: Sums) => number> = {
  recent: ({ submissions }) => submissions,
  spam: spamShare,
  failed: failedOf,
};

/** Returns the forms of a client as the account sees them; a client sees its own whatever it asks for. */
function scopeOf({ accountId, clientId }: Principal, filter: FleetFilter): Scope {
  return { accountId, clientId: clientId ?? filter.clientId };
}
