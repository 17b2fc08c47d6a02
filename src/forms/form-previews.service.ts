import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../platform/database/unit-of-work.js';
import { FormsRepository, type FormSummary } from './forms.repository.js';
import { encodeLearnt, isLearningDue, LEARNT_FROM } from './model/preview-fields.js';

/** Forms that one statement reads. */
const FORMS_AT_ONCE = 500;

/** Keeps what was learnt about the fields of forms whose owners have chosen none. */
@Injectable()
export class FormPreviews {
  constructor(
    private readonly forms: FormsRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Returns the forms for which it is time to learn. */
  async *due(): AsyncGenerator<FormSummary> {
    let after = 0;
    for (;;) {
      const some = await this.forms.listUnchosen(LEARNT_FROM, after, FORMS_AT_ONCE);
      for (const form of some) {
        if (isLearningDue(form.previewFields, form.submissionCount)) yield form;
      }
      if (some.length < FORMS_AT_ONCE) return;
      after = some.at(-1)?.id ?? after;
    }
  }

  /** Keeps which fields tell most; a choice that was made meanwhile stays. */
  learn(form: FormSummary, fields: string[]): Promise<void> {
    const text = encodeLearnt({ at: form.submissionCount, fields });
    return this.unitOfWork.run((tx) => this.forms.in(tx).setPreview(form, text));
  }
}
