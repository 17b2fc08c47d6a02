import { asked } from '../../platform/http/wrapped.js';
import type { OutcomeName } from '../../deliveries/model/attempt-result.js';
import type { Attempt } from '../../deliveries/model/attempt.entity.js';
import {
  toldState,
  type DeliveryWithAttempts,
  type ToldState,
} from '../../deliveries/model/delivery-with-attempts.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import type { CallState } from '../../webhooks/webhooks.service.js';
import type { SentFound } from '../destination-log.service.js';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { Optional } from '../../platform/kernel/validation.js';
import type { DestinationPreview } from '../destination-previews.js';
import { DestinationChangesDto } from './destination.dto.js';

/** One try to send something. */
class TryDto {
  /** When it began, ISO 8601 in UTC. */
  at: string;
  duration_ms: number;
  /** Why it ended so. */
  outcome: OutcomeName;
  /** HTTP status, or the code of the mail server; null when there was no response. */
  code: number | null;
  /** The beginning of the response, up to 1,024 bytes; null when it was empty. */
  answer: string | null;

  static of({ at, durationMs, outcome, code, answer }: Attempt): TryDto {
    return { at: at.toISOString(), duration_ms: durationMs, outcome, code, answer };
  }
}

/** A delivery to a destination. */
class SentDto {
  delivery_id: string;
  submission_id: string | null;
  /** The host that is called, or the address that a mail goes to. */
  recipient: string;
  /** As the deliveries of a submission have it. */
  state: ToldState;
  /** When it was planned, ISO 8601 in UTC. */
  created_at: string;
  /** How often it was tried. */
  tries: number;
  /** Null before the first try. */
  last_try: TryDto | null;
  /** When it is tried next, ISO 8601 in UTC; null when it is not. */
  next_attempt_at: string | null;

  static of(sent: DeliveryWithAttempts): SentDto {
    const { delivery, attempts } = sent;
    const { id, submissionId, recipient, createdAt, nextTryAt } = delivery;
    const last = attempts.at(-1);
    return {
      delivery_id: formatUuid(id),
      submission_id: submissionId && formatUuid(submissionId),
      ...{ recipient, state: toldState(sent), created_at: createdAt.toISOString() },
      tries: attempts.length,
      last_try: last ? TryDto.of(last) : null,
      next_attempt_at: nextTryAt?.toISOString() ?? null,
    };
  }
}

/** Deliveries of a destination, newest first. */
export class SentListDto {
  deliveries: SentDto[];
  /** Address of older ones; null when there are none. */
  next_page: string | null;

  /** @param here the address of the destinations */
  static of(
    { sent, hasMore }: SentFound,
    here: string,
    id: Buffer | null,
    state?: CallState,
  ): SentListDto {
    const deliveries = sent.map((each) => SentDto.of(each));
    const address = `${here}/${id ? formatUuid(id) : ''}/deliveries`;
    const query = new URLSearchParams({
      ...(state && { state }),
      before: deliveries.at(-1)?.delivery_id ?? '',
    });
    return { deliveries, next_page: hasMore ? `${address}?${query.toString()}` : null };
  }
}

/** Failed deliveries that are tried again. */
export class RetriedDto {
  /** How many. */
  retried: number;
}

const PREVIEWED = ['email'] as const;

/** An email to look at. Only its settings count. */
class PreviewedDestinationDto extends DestinationChangesDto {
  /** `email`, since only emails have a preview. */
  @ApiPropertyOptional({ enum: PREVIEWED })
  @IsIn(PREVIEWED, { message: 'must be email' })
  @Optional()
  kind?: (typeof PREVIEWED)[number];
}

export class PreviewDestinationDto extends asked('destination', PreviewedDestinationDto) {}

/** A name and an address that an email of a destination has. */
class PreviewedMailboxDto {
  /** Empty when there is none. */
  name: string;
  address: string;
}

/** An email of a destination as it would be sent now. */
export class DestinationPreviewDto {
  /** False where nobody would get it. */
  enabled: boolean;
  /** Everybody who gets it: `to`, `cc` and `bcc`. */
  recipients: string[];
  to: string[];
  cc: string[];
  bcc: string[];
  from: PreviewedMailboxDto;
  /** Where answers go; null when to the sender. */
  reply_to: PreviewedMailboxDto | null;
  subject: string;
  html: string;
  text: string;
  /** The submission that it is about; null when that is a sample. */
  submission_id: string | null;

  static of(preview: DestinationPreview): DestinationPreviewDto {
    const { isOn, recipients, to, cc, bcc, message, submissionId } = preview;
    const { from, replyTo, subject, html, text } = message;
    return {
      ...{ enabled: isOn, recipients, to, cc, bcc },
      from: { name: from.name, address: from.address },
      reply_to: replyTo && { name: replyTo.name, address: replyTo.address },
      ...{ subject, html, text },
      submission_id: submissionId && formatUuid(submissionId),
    };
  }
}
