import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { DAY_MS, HOUR_MS } from '../../platform/kernel/time/durations.js';
import { CaptchaTrouble } from './captcha-trouble.entity.js';
import { CaptchaTroublesRepository } from './captcha-troubles.repository.js';
import { Projected, type Projection } from '../../projections/projection.js';

/** How long one is told of, and how often it is written while it lasts, in milliseconds. */
const RECENT_MS = DAY_MS;
const AGAIN_MS = HOUR_MS;
/** Forms whose trouble is remembered here; beyond it they are written again. */
const NOTED_MAX = 1_000;

/** Remembers which forms have a captcha whose keys the provider refuses. */
@Injectable()
@Projected({ tables: ['captcha_troubles'] })
export class CaptchaTroubles implements Projection {
  /** When this process wrote that a form has trouble, in milliseconds since 1970. */
  private readonly noted = new Map<number, number>();

  constructor(
    private readonly troubles: CaptchaTroublesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Notes that the keys of a form were refused; once an hour is enough. */
  async note(formId: number, code: string): Promise<void> {
    const lastAt = this.unitOfWork.now();
    if ((this.noted.get(formId) ?? 0) > lastAt.getTime() - AGAIN_MS) return;
    if (this.noted.size >= NOTED_MAX) this.noted.clear();
    this.noted.set(formId, lastAt.getTime());
    const trouble = Object.assign(new CaptchaTrouble(), { formId, code, lastAt });
    await this.unitOfWork.run((tx) => this.troubles.in(tx).save(trouble));
  }

  /** Notes that they were taken after all. */
  async clear(formId: number): Promise<void> {
    if (this.noted.has(formId)) await this.forgetForm(formId);
  }

  /** Returns what providers said of the keys of these forms lately, by the form; without those where all is well. */
  async recentAmong(formIds: readonly number[]): Promise<Map<number, string>> {
    const from = new Date(this.unitOfWork.now().getTime() - RECENT_MS);
    const found = await this.troubles.listSince(formIds, from);
    return new Map(found.map(({ formId, code }) => [formId, code]));
  }

  /** Removes the trouble of a form that is deleted, or has new keys. */
  async forgetForm(formId: number): Promise<void> {
    this.noted.delete(formId);
    await this.unitOfWork.run((tx) => this.troubles.in(tx).remove(formId));
  }
}
