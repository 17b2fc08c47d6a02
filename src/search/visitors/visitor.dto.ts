import { parseEmailAddress, Flag, Optional, Parsed, Required } from '../../platform/index.js';
import type { VisitorTraces } from './visitors.service.js';

export class EraseVisitorDto {
  /** The address, in any case of letters. */
  @Parsed('not_an_email', parseEmailAddress, 'must be an email address such as jane@example.com')
  @Required()
  email: string;

  /** True: erase nothing, and tell what would go. */
  @Flag()
  @Optional()
  dry_run?: boolean;
}

class VisitorFormDto {
  /** Identifier of the form. */
  form: string;
  submissions: number;
}

/** Counts of the data under the address, taken just before its erasure. */
export class ErasedVisitorDto {
  /** Id that the entries of the audit log about it share; null when nothing was erased. */
  receipt: string | null;
  submissions: number;
  files: number;
  /** Bytes of the files together. */
  file_bytes: number;
  /** Mails in the history of deliveries. */
  mails: number;
  /** Webhook calls in the history of deliveries. */
  webhook_calls: number;
  notes: number;
  /** The forms that had some. */
  forms: VisitorFormDto[];

  static of(receipt: string | null, traces: VisitorTraces): ErasedVisitorDto {
    const { submissions, files, fileBytes, mails, webhookCalls, notes, forms } = traces;
    return {
      ...{ receipt, submissions, files, file_bytes: fileBytes, mails },
      ...{ webhook_calls: webhookCalls, notes },
      forms: forms.map(({ form, submissions: count }) => ({ form: form.identifier, submissions: count })),
    };
  }
}
