import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Scope } from '../../accounts/access/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { type DomainError, DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/index.js';
import { Counting, type Change } from '../../statistics/counting.service.js';
import { StatisticsService } from '../../statistics/statistics.service.js';
import { REFUSED } from '../../statistics/sums.js';
import { OTHER } from '../../submissions/model/facet.js';
import { digestOf } from '../../submissions/model/submitted-values.js';

/** Most days of refusals that are told at once. */
export const REFUSALS_DAYS_MAX = 60;
/** Most counts that wait in memory, some 10 MB; further ones are not counted. */
const WAITING_MAX = 50_000;

/** Refusals of a form within an hour, by the code of the error and the first field at fault; an empty field for none. */
interface Refused {
  /** Whole hours since 1970. */
  hour: number;
  code: string;
  field: string;
  amount: number;
}
export type FormRefusals = Refused[];

/** Counts the submissions that forms refuse, so that owners learn of a form that their visitors cannot send. */
@Injectable()
export class RefusalsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Refusals');
  private readonly waiting = new Map<string, Change>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly counting: Counting,
    private readonly statistics: StatisticsService,
    private readonly forms: FormQueries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Begins to store what is counted once a minute, with workers or without: each process has counts of its own. */
  onApplicationBootstrap() {
    const flush = () =>
      this.flush().catch((error: unknown) => {
        this.logger.warn('Refusals could not be stored yet', { error });
      });
    this.timer = setInterval(() => void flush(), MINUTE_MS).unref();
  }

  /** Counts a refusal in memory. Of texts of visitors it keeps only names of fields that the form has rules for. */
  count(form: Readonly<Form>, { code: own, fields: [first] }: DomainError) {
    const code = first?.code ?? own;
    const isNamed = first !== undefined && form.fields.of(first.field);
    const field = isNamed ? first.field : '';
    const reason = { name: REFUSED, item: digestOf(code, field), text: `${code} ${field}` };
    this.wait({ formId: form.id, hour: hourOf(this.unitOfWork.now()), ...reason, amount: 1 });
  }

  /** Returns what these forms refused from an hour on, in the order of time; without forms that refused nothing. */
  async lately(formIds: readonly number[], fromHour: number): Promise<Map<number, FormRefusals>> {
    const to = hourOf(this.unitOfWork.now()) + 1;
    const found = new Map<number, FormRefusals>();
    for (const each of await this.statistics.refused(formIds, fromHour, to)) {
      const { formId, begins: hour, text, amount } = each;
      const [code = '', ...words] = (text ?? OTHER).split(' ');
      const known = found.get(formId) ?? [];
      known.push({ hour, code, field: words.join(' '), amount });
      found.set(formId, known);
    }
    for (const all of found.values()) all.sort(inOrder);
    return found;
  }

  /** Returns what a form refused in the last days. @throws FormNotFound */
  async ofForm(scope: Scope, identifier: string, days: number): Promise<FormRefusals> {
    const { id } = await this.forms.get(scope, identifier);
    const from = new Date(this.unitOfWork.now().getTime() - days * DAY_MS);
    return (await this.lately([id], hourOf(from))).get(id) ?? [];
  }

  /** Stores what was counted since the last time; what cannot be stored stays counted. */
  async flush() {
    const all = [...this.waiting.values()];
    if (all.length === 0) return;
    this.waiting.clear();
    try {
      await this.unitOfWork.run((tx) => this.counting.add(tx, all));
    } catch (error) {
      for (const each of all) this.wait(each);
      throw error;
    }
  }

  /** Stores the rest before the database is closed. No request comes any more by then. */
  async onApplicationShutdown() {
    clearInterval(this.timer);
    await this.flush().catch((error: unknown) => {
      this.logger.warn('The last refusals were not counted', { error });
    });
  }

  private wait(change: Change) {
    const key = `${change.formId} ${change.hour} ${change.item}`;
    const known = this.waiting.get(key);
    if (known) known.amount += change.amount;
    else if (this.waiting.size < WAITING_MAX) this.waiting.set(key, change);
  }
}

function inOrder(one: Refused, other: Refused) {
  const keyOf = ({ code, field }: Refused) => `${code} ${field}`;
  return one.hour - other.hour || (keyOf(one) < keyOf(other) ? -1 : 1);
}

function hourOf(moment: Date) {
  return Math.floor(moment.getTime() / HOUR_MS);
}
