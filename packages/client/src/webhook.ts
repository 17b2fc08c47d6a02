import { Webhook } from 'standardwebhooks';
import type { Schemas } from './client.js';

/** Body of a webhook call in the format `standard`. */
export interface WebhookEvent {
  type: 'submission.received';
  /** ISO 8601 in UTC. */
  timestamp: string;
  data: {
    form: { id: number; name: string; identifier: string };
    submission: Pick<Schemas['SubmissionDto'], 'id' | 'created_at' | 'values' | 'files' | 'origin'>;
  };
}

/**
 * Verifies that the service sent a call within the last five minutes, by Standard Webhooks.
 * @param body as it came, before it is parsed
 * @param headers as `fetch` or Node has them
 * @param secret of the webhook, `whsec_…`
 * @throws Error
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secret: string,
): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const named = Object.fromEntries(headers instanceof Headers ? headers : Object.entries(headers)) as Record<
    string,
    string
  >;
  return new Webhook(secret).verify(text, named) as WebhookEvent;
}
