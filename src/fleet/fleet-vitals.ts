import { Injectable } from '@nestjs/common';
import { CanaryService, type CanaryFailure } from '../canary/canary.service.js';
import type { Form } from '../forms/model/form.entity.js';
import { Clock } from '../platform/kernel/time/clock.js';
import { FormWatch } from '../watch/model/form-watch.entity.js';
import { WatchService } from '../watch/watch.service.js';

/** How a form fares by its rhythm and by its canary. */
export interface Vital {
  watch: FormWatch;
  /** Null unless its canary fails. */
  failure: CanaryFailure | null;
}

/** Tells how forms are watched, by a query for all of them. */
@Injectable()
export class FleetVitals {
  constructor(
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
    private readonly clock: Clock,
  ) {}

  /** Returns what tells it of each of these forms; one that nobody has looked at yet is learnt. */
  async of(forms: readonly Form[]): Promise<(form: Form) => Vital> {
    const ids = forms.map(({ id }) => id);
    const [watches, failures] = await Promise.all([
      this.watches.among(ids),
      this.canaries.failuresOf(ids),
    ]);
    const now = this.clock.now();
    return ({ id, accountId }) => ({
      watch: watches.get(id) ?? FormWatch.create({ formId: id, accountId }, now),
      failure: failures.get(id) ?? null,
    });
  }
}
