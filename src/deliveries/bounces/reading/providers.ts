import { parseUuid, parseUrl } from '../../../platform/index.js';
import { codeIn, kindOf, type Bounce, type BounceKind, deliveryIdIn } from './dsn.js';

type Json = Readonly<Record<string, unknown>>;

/** Postmark's types of bounces that are none of the address for good (its Bounce API); others say nothing. */
const POSTMARK: Readonly<Record<string, BounceKind>> = {
  HardBounce: 'permanent',
  BadEmailAddress: 'permanent',
  SpamComplaint: 'complaint',
  SoftBounce: 'failed',
  DnsError: 'failed',
  Blocked: 'failed',
  SpamNotification: 'failed',
  DMARCPolicy: 'failed',
  VirusNotification: 'failed',
  Transient: 'delayed',
};

/** Reads a webhook of Postmark: one bounce, or one complaint. */
export function readPostmark(body: unknown): Bounce[] {
  const event = objectIn(body);
  const kind = POSTMARK[text(event.RecordType) === 'SpamComplaint' ? 'SpamComplaint' : text(event.Type)];
  // The case of what a mail has in X-PM-Metadata-delivery may change on the way.
  const [, id = ''] = Object.entries(objectIn(event.Metadata)).find(([key]) => key.toLowerCase() === 'delivery') ?? [];
  const reason = text(event.Details) || text(event.Description);
  return bounce(parseUuid(text(id)), [text(event.Email)], kind, reason);
}

/** Reads the events of SendGrid, of which a webhook has many. */
export function readSendGrid(body: unknown): Bounce[] {
  return listIn(body).flatMap((item) => {
    const event = objectIn(item);
    const id = parseUuid(text(event.delivery)) ?? deliveryIdIn(text(event['smtp-id']));
    const reason = text(event.reason) || text(event.response);
    return bounce(id, [text(event.email)], kindOfSendGrid(event, reason), reason);
  });
}

function kindOfSendGrid(event: Json, reason: string) {
  switch (event.event) {
    case 'bounce':
      return event.type === 'blocked' ? 'failed' : kindOf(text(event.status) || null, reason);
    case 'dropped':
      return /^(?:bounced address|invalid)/i.test(reason) ? 'permanent' : 'failed';
    case 'deferred':
      return 'delayed';
    case 'spamreport':
      return 'complaint';
    default:
      return undefined;
  }
}

/** Reads a notification of Amazon SES: a bounce or a complaint of some recipients, or a delay. */
export function readSes(body: unknown): Bounce[] {
  const event = objectIn(body);
  const type = text(event.notificationType) || text(event.eventType);
  const mail = objectIn(event.mail);
  const headers = listIn(mail.headers).map(objectIn);
  const original = headers.find(({ name }) => text(name).toLowerCase() === 'message-id');
  const id = deliveryIdIn(text(original?.value), text(objectIn(mail.commonHeaders).messageId));
  if (type === 'Complaint') {
    const { complainedRecipients, complaintFeedbackType } = objectIn(event.complaint);
    const reason = `The recipient reported it as spam (${text(complaintFeedbackType) || 'abuse'}).`;
    return listIn(complainedRecipients).flatMap((item) =>
      bounce(id, [text(objectIn(item).emailAddress)], 'complaint', reason),
    );
  }
  const { bouncedRecipients, bounceType } = objectIn(event.bounce);
  const { delayedRecipients } = objectIn(event.deliveryDelay);
  const isDelay = type === 'DeliveryDelay';
  if (!isDelay && type !== 'Bounce') return [];
  return listIn(isDelay ? delayedRecipients : bouncedRecipients).flatMap((item) => {
    const { emailAddress, status, diagnosticCode } = objectIn(item);
    const reason = text(diagnosticCode).replace(/^\s*smtp\s*;\s*/i, '') || text(status);
    const ended = bounceType === 'Permanent' ? kindOf(text(status) || '5.0.0', reason) : 'failed';
    return bounce(id, [text(emailAddress)], isDelay ? 'delayed' : ended, reason);
  });
}

function bounce(
  deliveryId: Buffer | null,
  recipients: string[],
  kind: BounceKind | undefined,
  reason: string,
): Bounce[] {
  if (!deliveryId || kind === undefined) return [];
  return [{ deliveryId, recipients, kind, code: codeIn(reason), reason }];
}

/** Returns the object that a value is, or an empty one. */
function objectIn(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function listIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown) {
  return typeof value === 'string' ? value : '';
}

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
export async function confirmSubscription(url: string) {
  const signal = AbortSignal.timeout(CONFIRM_TIMEOUT_MS);
  const response = await fetch(url, { redirect: 'error', signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`Amazon SNS answered ${response.status} to the confirmation.`);
}
