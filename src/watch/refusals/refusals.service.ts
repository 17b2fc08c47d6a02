import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { FormQueries } from '../../forms/form-queries.service.js';
import type { Scope } from '../../access/principal.js';
import type { Form } from '../../forms/model/form.entity.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/task-runner.js';
import { inPortions } from '../../platform/background/pace.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import type { DomainError } from '../../platform/kernel/errors.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/kernel/time.js';
import { Projected, type Projection } from '../../projections/projections.js';
import { FormRefusalsRepository } from './form-refusals.repository.js';
import { RefusalTally, type Refused } from './refusal-tally.js';

/** Days for which refusals are kept. */
export const REFUSALS_KEPT_DAYS = 60;

/** Refusals of a form by hour and reason; `field` is empty for none. */
export type FormRefusals = Pick<Refused, 'hour' | 'code' | 'field' | 'amount'>[];

/** Counts the submissions that forms refuse, so that owners learn of a form that their visitors cannot send. */
@Injectable()
@Projected({ tables: ['form_refusals'] })
export class RefusalsService implements Projection, OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Refusals');
  private readonly tally = new RefusalTally();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly rows: FormRefusalsRepository,
    private readonly forms: FormQueries,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Begins to store what is counted once a minute, with workers or without: each process has counts of its own. */
  onApplicationBootstrap(): void {
    const flush = () =>
      this.flush().catch((error: unknown) => {
        this.logger.warn('Refusals could not be stored yet', { error });
      });
    this.timer = setInterval(() => void flush(), MINUTE_MS).unref();
  }

  /** Counts a refusal in memory. Of texts of visitors it keeps only names of fields that the form has rules for. */
  count(form: Readonly<Form>, { code, fields: [first] }: DomainError): void {
    const hour = hourOf(this.unitOfWork.now());
    const isNamed = first !== undefined && form.fields.of(first.field);
    const field = isNamed ? first.field : '';
    this.tally.add({ formId: form.id, hour, code: first?.code ?? code, field, amount: 1 });
  }

  /** Returns what these forms refused from an hour on, in the order of time; without forms that refused nothing. */
  async lately(formIds: readonly number[], fromHour: number): Promise<Map<number, FormRefusals>> {
    const found = new Map<number, FormRefusals>();
    for (const { formId, ...refused } of await this.rows.since(formIds, fromHour)) {
      const known = found.get(formId);
      if (known) known.push(refused);
      else found.set(formId, [refused]);
    }
    return found;
  }

  /** Returns what a form refused in the last days. @throws FormNotFound */
  async ofForm(scope: Scope, identifier: string, days: number): Promise<FormRefusals> {
    const { id } = await this.forms.get(scope, identifier);
    const from = new Date(this.unitOfWork.now().getTime() - days * DAY_MS);
    return (await this.lately([id], hourOf(from))).get(id) ?? [];
  }

  /** Stores what was counted since the last time; what cannot be stored stays counted. */
  async flush(): Promise<void> {
    if (this.tally.isEmpty) return;
    const refused = this.tally.take();
    try {
      await this.unitOfWork.run((tx) => this.rows.in(tx).add(refused));
    } catch (error) {
      for (const each of refused) this.tally.add(each);
      throw error;
    }
  }

  @BackgroundTask('remove old refusals', HOUR_MS)
  forgetOld({ now, signal }: TaskRun): Promise<number> {
    const before = hourOf(new Date(now.getTime() - REFUSALS_KEPT_DAYS * DAY_MS));
    return inPortions(
      (rows) => this.unitOfWork.run((tx) => this.rows.in(tx).removeBefore(before, rows)),
      signal,
    );
  }

  async forgetForm(formId: number): Promise<void> {
    await this.unitOfWork.run((tx) => this.rows.in(tx).removeOf(formId));
  }

  /** Stores the rest before the database is closed. No request comes any more by then. */
  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush().catch((error: unknown) => {
      this.logger.warn('The last refusals were not counted', { error });
    });
  }
}

function hourOf(moment: Date): number {
  return Math.floor(moment.getTime() / HOUR_MS);
}
