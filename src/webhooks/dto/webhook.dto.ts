import { Type } from 'class-transformer';
import { IsIn, IsObject, ValidateIf, ValidateNested } from 'class-validator';
import type { Principal } from '../../access/principal.js';
import { Flag, Optional, Required } from '../../platform/kernel/validation.js';
import { beginningOf, type OutcomeName } from '../../deliveries/model/attempt-result.js';
import { formatUuid } from '../../platform/kernel/uuid.js';
import { FORMAT_NAMES, type FormatName } from '../formats/formats.js';
import { SIGNATURE_NAMES, type SignatureName } from '../signatures/signatures.js';
import type { TestCall } from '../webhook-test-calls.js';
import type { WebhookOverview } from '../webhooks.service.js';

/** How a call ended. */
export class WebhookCallDto {
  /** `deferred`: it would be attempted again. `refused`: it would not. */
  result: 'delivered' | 'deferred' | 'refused' | 'interrupted';
  /** Why it ended so. */
  outcome: OutcomeName;
  /** HTTP status; null when there was no response. */
  code: number | null;
  /** The beginning of the response, up to 1,024 bytes; null when it was empty. */
  answer: string | null;
  duration_ms: number;

  static of({ result: ended, durationMs }: TestCall): WebhookCallDto {
    const { verdict: result, outcome, code, answer } = ended;
    return {
      ...{ result, outcome, code },
      answer: answer && beginningOf(answer),
      duration_ms: durationMs,
    };
  }
}

/** One of the last deliveries to the webhook. */
export class RecentCallDto {
  delivery_id: string;
  /** `failed`: it is not attempted again by itself. */
  state: 'delivered' | 'failed';
  /** When it was last attempted, ISO 8601 in UTC. */
  at: string | null;
  outcome: OutcomeName | null;
  code: number | null;
}

/** The webhook of a form. */
export class WebhookDto {
  /** Where calls go; null when none is set. */
  url: string | null;
  /** `unset`: there is no URL. */
  state: 'enabled' | 'disabled' | 'unset';
  /** Which body calls have: ours, or that of another provider. */
  format: FormatName;
  /** How calls are signed; the foreign ones take the secret as the text it is. */
  signature: SignatureName;
  /** The key that signs calls; null without the right `webhooks:secret`. */
  secret: string | null;
  /** Until when the previous secret signs too, ISO 8601 in UTC; null when it does not. */
  previous_secret_until: string | null;
  /** Since when every call has failed, ISO 8601 in UTC; null after a success. */
  failing_since: string | null;
  /** When it was disabled, ISO 8601 in UTC; null while it is enabled. */
  disabled_at: string | null;
  /** The last deliveries, newest first. */
  recent: RecentCallDto[];
}

export class WebhookResponseDto {
  webhook: WebhookDto;

  static of(
    { form, webhook, previousValidUntil, recent }: WebhookOverview,
    reader: Principal,
  ): WebhookResponseDto {
    const state = webhook.isDisabled ? 'disabled' : 'enabled';
    return {
      webhook: {
        url: form.webhookUrl,
        state: form.webhookUrl === null ? 'unset' : state,
        format: webhook.format,
        signature: webhook.signature,
        secret: reader.has('webhooks:secret') ? webhook.secret : null,
        previous_secret_until: previousValidUntil?.toISOString() ?? null,
        failing_since: webhook.failingSince?.toISOString() ?? null,
        disabled_at: webhook.disabledAt?.toISOString() ?? null,
        recent: recent.map(({ delivery, attempts }) => {
          const last = attempts.at(-1);
          return {
            delivery_id: formatUuid(delivery.id),
            state: delivery.state === 'delivered' ? 'delivered' : 'failed',
            at: last?.at.toISOString() ?? null,
            outcome: last?.outcome ?? null,
            code: last?.code ?? null,
          };
        }),
      },
    };
  }
}

/** Changes to a webhook. */
export class WebhookChangesDto {
  /** Whether it is called; required when nothing else is changed. */
  @Flag()
  @Required()
  @ValidateIf(
    ({ enabled, format, signature }: WebhookChangesDto) =>
      [format, signature].every((other) => other === undefined) || enabled !== undefined,
  )
  enabled?: boolean;

  /** With `enabled`: whether deliveries that failed meanwhile are attempted again. */
  @Flag()
  @Optional()
  resend?: boolean;

  /** Which body calls have from now on, also those that wait. */
  @IsIn(FORMAT_NAMES, { message: `must be one of ${FORMAT_NAMES.join(', ')}` })
  @Optional()
  format?: FormatName;

  /** How calls are signed from now on. */
  @IsIn(SIGNATURE_NAMES, { message: `must be one of ${SIGNATURE_NAMES.join(', ')}` })
  @Optional()
  signature?: SignatureName;
}

export class ChangeWebhookDto {
  @ValidateNested()
  @Type(() => WebhookChangesDto)
  @IsObject({ message: 'must be an object' })
  @Required()
  webhook: WebhookChangesDto;
}
