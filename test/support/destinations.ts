import type { FormBody, Caller, Service } from './service.js';
import type { WebhookReceiver } from './webhook-receiver.js';

const BOT = { token: `1:${'A'.repeat(35)}`, chat: '-1001' };

/** Adds a destination for which a receiver stands. @returns it, as it is shown this once */
export async function addDestination(
  caller: Caller,
  form: Pick<FormBody, 'identifier'>,
  kind: string,
  { url, port }: Pick<WebhookReceiver, 'url' | 'port'>,
  more: object = {},
): Promise<{ id: string; settings: Record<string, string> }> {
  const where = kind === 'telegram' ? { ...BOT, server: `http://127.0.0.1:${port}` } : { url };
  const destination = { name: kind, kind, settings: { ...where, ...more } };
  const path = `/api/v1/forms/${form.identifier}/destinations` as const;
  return (await caller.create(path, { destination })).destination;
}

/** Returns where the only delivery of a submission stands, with its last attempt. */
export async function lastAttempt(caller: Caller, form: FormBody, id: string) {
  const { state, attempts, next_attempt_at: next } = await caller.deliveryOf(form, id);
  return { state, next, tries: attempts.length, ...attempts.at(-1) };
}

/** Sends values through a form and delivers them once. @returns how that ended */
export async function sendAndDeliver(
  service: Service,
  caller: Caller,
  form: FormBody,
  values: object = { message: 'Hello' },
) {
  const id = await service.deliver(form, values);
  return lastAttempt(caller, form, id);
}

/** State of a submission that was taken. */
export const TAKEN = { state: 'delivered', outcome: 'accepted' };
