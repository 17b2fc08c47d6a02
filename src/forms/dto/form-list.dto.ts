import type { FormSummary } from '../forms.repository.js';

/** A form as the list shows it. */
export class FormListEntryDto {
  id: number;
  name: string;
  /** Unique token of the form: 16 lower-case hex digits. */
  identifier: string;
  /** Submissions that are neither spam nor in the trash. */
  submission_count: number;
}

export class FormListDto {
  forms: FormListEntryDto[];

  static of(forms: readonly FormSummary[]): FormListDto {
    return {
      forms: forms.map(({ id, name, identifier, submissionCount }) => ({
        id,
        name,
        identifier,
        submission_count: submissionCount,
      })),
    };
  }
}
