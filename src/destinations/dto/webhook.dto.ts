import { asked, wrapped } from '../../platform/http/index.js';
import { ValidateIf } from 'class-validator';
import type { Principal } from '../../accounts/access/index.js';
import { Flag, Optional, Required, formatUuid } from '../../platform/index.js';
import type { OutcomeName } from '../../deliveries/model/outcome.js';
import { FORMAT_NAMES, type FormatName } from '../kinds/formats.js';
import { SIGNATURE_NAMES, type SignatureName } from '../kinds/signatures.js';
import type { WebhookOverview } from '../webhook.service.js';
import { OmitType } from '@nestjs/swagger';
import type { CallState } from '../../deliveries/model/delivery-filter.js';
import type { SentFound } from '../destinations.service.js';
import { OneOf } from './destination.dto.js';
import { olderThan, SentDto } from './shown-destination.dto.js';
import type { DeliveryState } from '../../deliveries/model/delivery.entity.js';

/** One of the last deliveries to the webhook. */
class RecentCallDto {
  delivery_id: string;
  /** `failed`: it is not attempted again by itself. */
  state: 'delivered' | 'failed';
  /** When it was last attempted, ISO 8601 in UTC. */
  at: string | null;
  outcome: OutcomeName | null;
  code: number | null;
}

/** The webhook of a form. */
class WebhookDto {
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

  static of(
    { opened: { destination, settings }, previousUntil, recent }: WebhookOverview,
    reader: Principal,
  ): WebhookDto {
    const { isPaused, isOff, failingSince, pausedAt } = destination;
    const { url = null, format, signature, secret } = settings;
    return {
      url,
      state: isOff ? 'unset' : isPaused ? 'disabled' : 'enabled',
      format: (format ?? 'standard') as FormatName,
      signature: (signature ?? 'standard') as SignatureName,
      secret: reader.has('webhooks:secret') ? (secret ?? null) : null,
      previous_secret_until: previousUntil?.toISOString() ?? null,
      failing_since: failingSince?.toISOString() ?? null,
      disabled_at: pausedAt?.toISOString() ?? null,
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
    };
  }
}

export class WebhookResponseDto extends wrapped('webhook', WebhookDto) {}

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
  @OneOf(FORMAT_NAMES)
  @Optional()
  format?: FormatName;

  /** How calls are signed from now on. */
  @OneOf(SIGNATURE_NAMES)
  @Optional()
  signature?: SignatureName;
}

export class ChangeWebhookDto extends asked('webhook', WebhookChangesDto) {}

/** One call for a submission. */
class ListedCallDto extends OmitType(SentDto, ['recipient', 'state']) {
  url: string;
  /** `failed`: it is not attempted again by itself. `obsolete`: nobody misses it any more. */
  state: DeliveryState;
}

/** Calls of a form, newest first. */
export class WebhookCallsDto {
  calls: ListedCallDto[];
  /** Address of older ones; null when there are none. */
  next_page: string | null;

  /** @param here the address of the list, without a query */
  static of({ sent, hasMore }: SentFound, here: string, state?: CallState): WebhookCallsDto {
    const shown = sent.map((each) => SentDto.of(each));
    const calls = shown.map(({ recipient: url, ...call }, at) => ({
      ...{ ...call, url, state: sent[at]?.delivery.state ?? 'pending' },
    }));
    return { calls, next_page: hasMore ? olderThan(shown, here, state) : null };
  }
}
