import {
  attemptResult,
  secretUnreadable,
  type AttemptResult,
} from '../deliveries/model/attempt-result.js';
import { isForbidden } from '../platform/http-client/guarded-http-client.js';
import { SECOND_MS } from '../platform/kernel/time/durations.js';
import { SecretUnreadable } from '../platform/secrets/secret-box.js';
import { ServerBusy } from './client-servers.js';
import type { Mailer } from './mailer.js';
import type { Message } from './parts/message.js';

/** How long a mail waits when its server is busy with others, in milliseconds. */
const BUSY_AGAIN_MS = 10 * SECOND_MS;

/** Sends a mail, and says how that ended. */
export async function attemptMail(
  mailer: Mailer,
  id: string,
  message: Message,
  signal: AbortSignal,
): Promise<AttemptResult> {
  try {
    const reply = await mailer.send(id, message, signal);
    if (reply === null)
      return attemptResult('delivered', 'written', 'Saved to disk, not sent: SMTP_URL is not set.');
    return {
      ...attemptResult('delivered', 'accepted', reply),
      code: Number.parseInt(reply, 10) || 250,
    };
  } catch (error) {
    if (error instanceof ServerBusy) {
      const busy = attemptResult('deferred', 'deferred', error.message);
      return { ...busy, retryAfterMs: BUSY_AGAIN_MS, isApart: true };
    }
    if (error instanceof SecretUnreadable) {
      return { ...secretUnreadable(error.message), isApart: true };
    }
    const ended = failure(error);
    return message.via ? { ...ended, isApart: true } : ended;
  }
}

/** Error codes of nodemailer that concern the mail itself; others concern us. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];
const LOGIN_REQUIRED = 530;

/** Returns the result of a refusal: 5xx is final, unless the server refuses us rather than the mail. */
function failure(error: unknown): AttemptResult {
  const {
    code = '',
    responseCode,
    response,
    message,
  } = error as {
    code?: string;
    responseCode?: number;
    response?: string;
    message?: string;
  };
  const answer = response ?? message ?? 'No reason was given.';
  if (responseCode !== undefined) {
    const aboutTheMail = ABOUT_THE_MAIL.includes(code) && responseCode !== LOGIN_REQUIRED;
    const permanent = responseCode >= 500 && aboutTheMail;
    const name = permanent ? 'refused' : 'deferred';
    return {
      ...attemptResult(permanent ? 'refused' : 'deferred', name, answer),
      code: responseCode,
    };
  }
  if (isForbidden(error)) return attemptResult('deferred', 'forbidden_address', answer);
  return attemptResult('deferred', code === 'ETIMEDOUT' ? 'timed_out' : 'unreachable', answer);
}
