import { Injectable } from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Scope } from '../../accounts/access/index.js';
import type { Form } from '../../forms/model/form.entity.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { type DomainError, DAY_MS, HOUR_MS } from '../../platform/index.js';
import { StatisticsService } from '../../statistics/statistics.service.js';
import { REFUSED } from '../../statistics/sums.js';
import { WaitingCounts } from '../../statistics/waiting-counts.service.js';
import { OTHER } from '../../submissions/model/facet.js';
import { digestOf } from '../../submissions/model/submitted-values.js';

/** Most days of refusals that are told at once. */
export const REFUSALS_DAYS_MAX = 60;

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
export class RefusalsService {
  constructor(
    private readonly counts: WaitingCounts,
    private readonly statistics: StatisticsService,
    private readonly forms: FormQueries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Counts a refusal in memory. Of texts of visitors it keeps only names of fields that the form has rules for. */
  count(form: Readonly<Form>, { code: own, fields: [first] }: DomainError) {
    const code = first?.code ?? own;
    const isNamed = first !== undefined && form.fields.of(first.field);
    const field = isNamed ? first.field : '';
    const reason = { name: REFUSED, item: digestOf(code, field), text: `${code} ${field}` };
    this.counts.count({ formId: form.id, ...reason });
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
}

function inOrder(one: Refused, other: Refused) {
  const keyOf = ({ code, field }: Refused) => `${code} ${field}`;
  return one.hour - other.hour || (keyOf(one) < keyOf(other) ? -1 : 1);
}

function hourOf(moment: Date) {
  return Math.floor(moment.getTime() / HOUR_MS);
}
