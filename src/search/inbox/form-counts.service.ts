import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import {
  SubmissionsRepository,
  type FormCount,
} from '../../submissions/rows/submissions.repository.js';

/** Compares the stored counts of forms with what there is. */
@Injectable()
export class FormCounts {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the number of forms, and those whose stored count is wrong. */
  async compare(): Promise<{ forms: number; wrong: FormCount[] }> {
    let forms = 0;
    const wrong: FormCount[] = [];
    for await (const form of this.submissions.countsByForm()) {
      forms++;
      if (form.counted !== form.there) wrong.push(form);
    }
    return { forms, wrong };
  }

  /** Sets the stored count of each form that is wrong to the real one. */
  async mend(): Promise<void> {
    const { wrong } = await this.compare();
    for (const { identifier } of wrong) {
      await this.unitOfWork.run((tx) => this.submissions.in(tx).recount(identifier));
    }
  }
}
