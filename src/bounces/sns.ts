import { parseUrl } from '../platform/kernel/text/parse-url.js';

/** Addresses of Amazon SNS, which alone are called when it asks for a confirmation. */
const SNS_HOST = /^sns\.[a-z\d-]+\.amazonaws\.com(?:\.cn)?$/;
/** How long Amazon may take to answer, in milliseconds. */
const CONFIRM_TIMEOUT_MS = 10_000;

/** Returns what a message of Amazon SNS holds; null when it is no notification, or holds no JSON. */
export function notificationIn(body: unknown): unknown {
  const { Type: type, Message: message } = (body ?? {}) as Record<string, unknown>;
  if (type !== 'Notification' || typeof message !== 'string') return null;
  try {
    return JSON.parse(message) as unknown;
  } catch {
    return null;
  }
}

/** Returns the address that confirms a subscription; null when none is to be confirmed, or not at Amazon. */
export function confirmationIn(body: unknown): string | null {
  const { Type: type, SubscribeURL: url } = (body ?? {}) as Record<string, unknown>;
  if (type !== 'SubscriptionConfirmation' || typeof url !== 'string') return null;
  const { protocol, hostname = '', port } = parseUrl(url) ?? {};
  return protocol === 'https:' && port === '' && SNS_HOST.test(hostname) ? url : null;
}

/** Confirms a subscription. @throws Error when Amazon does not accept it */
export async function confirmSubscription(url: string): Promise<void> {
  const signal = AbortSignal.timeout(CONFIRM_TIMEOUT_MS);
  const response = await fetch(url, { redirect: 'error', signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`Amazon SNS answered ${response.status} to the confirmation.`);
}
