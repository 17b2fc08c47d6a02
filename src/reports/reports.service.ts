import { Injectable } from '@nestjs/common';
import type { Principal } from '../accounts/access/index.js';
import type { Client } from '../clients/client.entity.js';
import { ClientNotFound } from '../clients/client.errors.js';
import { ClientsService } from '../clients/clients.service.js';
import { FormQueries, type FormSummary } from '../forms/form-queries.service.js';
import { Clock } from '../platform/index.js';
import { StatisticsService } from '../statistics/statistics.service.js';
import { NOTHING, sumsOf, type Sums } from '../statistics/sums.js';
import { WorkCounts } from '../triage/marks/work-counts.service.js';
import { NO_WORK, type Work } from '../triage/marks/work.js';
import { addMonths, beginOf, lastMonth, lastWeek } from './week.js';
import type { WeeklyMailContent } from '../mail/messages/report-mails.js';
import { sentencesOf } from '../health/finding.js';
import { HealthService } from '../health/health.service.js';

/** Most forms of a report, oldest first; a client has a handful. */
const REPORT_FORMS_MAX = 1_000;

/** A form with what it received in a month and in the one before. */
interface ReportedForm {
  form: Pick<FormSummary, 'id' | 'name' | 'identifier'>;
  sums: Sums;
  before: Sums;
  /** Work of people on what came in the month. */
  work: Work;
}

/** Tells what the forms of a client received in a month of UTC. */
export interface ClientReport {
  client: Pick<Client, 'id' | 'name'>;
  /** Such as `2030-01`. */
  month: string;
  forms: ReportedForm[];
  totals: Sums;
  before: Sums;
}

/** Reports what the forms of a client received month by month, from counts and ranges of indexes. */
@Injectable()
export class ReportsService {
  constructor(
    private readonly clients: ClientsService,
    private readonly lists: FormQueries,
    private readonly statistics: StatisticsService,
    private readonly work: WorkCounts,
    private readonly clock: Clock,
    private readonly health: HealthService,
  ) {}

  /**
   * Reports a month of a client, which sees its own report alone.
   * @param month such as `2030-01`; null for the last one that is over
   * @throws MissingRight, ClientNotFound
   */
  async ofClient(principal: Principal, id: number, month: string | null): Promise<ClientReport> {
    const client = await this.clientOf(principal, id);
    return this.of(client, month ?? lastMonth(this.clock.now()));
  }

  /** Reports a month of a client to whom its account lets know. @param month such as `2030-01` */
  async of(client: Pick<Client, 'id' | 'accountId' | 'name'>, month: string): Promise<ClientReport> {
    const scope = { accountId: client.accountId, clientId: client.id };
    const forms = await this.lists.after(scope, 0, REPORT_FORMS_MAX);
    const [begin, end] = [beginOf(month), beginOf(addMonths(month, 1))];
    const ids = forms.map((form) => form.id);
    const [sums, before, work] = await Promise.all([
      this.statistics.ofEach(forms, begin, end),
      this.statistics.ofEach(forms, beginOf(addMonths(month, -1)), begin),
      this.work.ofEach(ids, begin, end),
    ]);
    return {
      ...{ client, month },
      forms: forms.map(({ id: formId, name, identifier }) => ({
        form: { id: formId, name, identifier },
        sums: sums.get(formId) ?? NOTHING,
        before: before.get(formId) ?? NOTHING,
        work: work.get(formId) ?? NO_WORK,
      })),
      totals: total([...sums.values()]),
      before: total([...before.values()]),
    };
  }

  private async clientOf(principal: Principal, id: number) {
    const { accountId, clientId } = principal;
    if (clientId !== null && clientId !== id) throw new ClientNotFound();
    const client = await this.clients.find(accountId, id);
    if (!client) throw new ClientNotFound();
    if (clientId === null) principal.assertHas('clients:read');
    return client;
  }

  async weekOf(accountId: number): Promise<WeeklyMailContent> {
    const scope = { accountId, clientId: null };
    const [forms, told, { totals, before }] = await Promise.all([
      this.lists.count(scope),
      this.health.listIn(scope),
      this.statistics.ofAll(scope, lastWeek(this.clock.now())),
    ]);
    const reasonsOf = (id?: number) =>
      told.filter(({ form }) => form?.id === id).map(({ finding }) => sentencesOf(finding));
    const troubled = new Map(told.flatMap(({ form }) => (form ? [[form.id, form]] : [])));
    return {
      forms,
      general: reasonsOf(),
      troubled: [...troubled.values()].map(({ id, name, identifier }) => ({
        ...{ name, identifier, reasons: reasonsOf(id) },
      })),
      submissions: totals.submissions,
      before: before.submissions,
    };
  }
}

function total(all: readonly Sums[]) {
  return sumsOf((counter) => all.reduce((sum, each) => sum + each[counter], 0));
}
