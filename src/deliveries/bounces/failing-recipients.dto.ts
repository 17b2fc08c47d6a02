import { listOf } from '../../platform/http/index.js';
import type { FailingRecipient } from './model/failing-recipient.entity.js';
import { formatUuid, Required, Text } from '../../platform/index.js';

/** Longest address, in characters. */
const EMAIL_MAX = 255;

export class TryRecipientDto {
  /** One of the addresses of the list. */
  @Text({ min: 1, max: EMAIL_MAX })
  @Required()
  email: string;
}

/** An address that takes no mails. */
export class FailingRecipientDto {
  email: string;
  /** `permanent`: nothing is sent there. `complaint`: visitors' mails are not. */
  kind: 'permanent' | 'complaint';
  /** The words of the receiver. */
  reason: string;
  /** Since when, ISO 8601 in UTC. */
  since: string;
  /** The delivery that came back. */
  delivery_id: string;
  /** The submission of the visitor with this address; null for other recipients. */
  submission_id: string | null;

  static of({ email, kind, reason, since, ...rest }: FailingRecipient): FailingRecipientDto {
    const { deliveryId, submissionId } = rest;
    return {
      ...{ email, kind, reason, since: since.toISOString() },
      delivery_id: formatUuid(deliveryId),
      submission_id: submissionId && formatUuid(submissionId),
    };
  }
}

export class FailingRecipientListDto extends listOf('recipients', FailingRecipientDto) {}
