import { Injectable } from '@nestjs/common';
import { CanaryService, type CanaryFailure } from '../canary/canary.service.js';
import type { Form } from '../forms/model/form.entity.js';
import type { FormWatch } from '../watch/model/form-watch.entity.js';
import { WatchService } from '../watch/watch.service.js';

/** How a form fares by its rhythm and by its canary. */
export interface Vital {
  watch: FormWatch;
  /** Null unless its canary fails. */
  failure: CanaryFailure | null;
}

/** Tells how forms live, by two queries for all of them. */
@Injectable()
export class FleetVitals {
  constructor(
    private readonly watches: WatchService,
    private readonly canaries: CanaryService,
  ) {}

  /** Returns how each of these forms lives, by its id. */
  async of(forms: readonly Form[]): Promise<Map<number, Vital>> {
    const [watches, failures] = await Promise.all([
      this.watches.ofEach(forms),
      this.canaries.failuresOf(forms.map(({ id }) => id)),
    ]);
    return new Map(
      [...watches].map(([id, watch]) => [id, { watch, failure: failures.get(id) ?? null }]),
    );
  }
}
