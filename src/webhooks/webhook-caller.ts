import { Injectable } from '@nestjs/common';
import type { AttemptResult } from '../deliveries/model/attempt-result.js';
import type { SubmissionInFull } from '../submissions/submissions.service.js';
import { Calls } from './calls.js';
import type { FormWebhook } from './form-webhook.entity.js';
import { FORMATS } from './formats/formats.js';
import { signatureHeaders } from './signatures/signatures.js';

/** Names the submission of a call, and the call itself. */
export interface About {
  /** Identifies the delivery for the receiver. */
  id: string;
  full: SubmissionInFull;
  /** One for each file, in order; they work without a token and expire. */
  fileLinks: readonly string[];
}

/** Makes one webhook call and returns how it ended. */
@Injectable()
export class WebhookCaller {
  constructor(private readonly calls: Calls) {}

  /**
   * Posts a submission to a URL, as its webhook says. Does not throw: an error becomes a result.
   */
  call(
    url: string,
    webhook: FormWebhook,
    { id, full, fileLinks }: About,
    now: Date,
    signal: AbortSignal,
  ): Promise<AttemptResult> {
    const {
      text: body,
      contentType,
      headers: ofFormat,
    } = FORMATS[webhook.format](full, { fileLinks });
    const headers = {
      ...ofFormat,
      'content-type': contentType,
      ...signatureHeaders(webhook.signature, id, now, body, webhook.secretsAt(now)),
    };
    return this.calls.make({ url, headers, body }, now, signal);
  }
}
