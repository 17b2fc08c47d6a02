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
    const { reply, note } = await sendSome(mailer, id, message, signal);
    if (reply === null)
      return attemptResult('delivered', 'written', 'Saved to disk, not sent: SMTP_URL is not set.');
    return {
      ...attemptResult('delivered', 'accepted', note === null ? reply : `${reply} ${note}`),
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

/**
 * Sends a mail; where the server refuses it for its files, at once again with links alone.
 * @returns the reply of the server, and a note for the log of what was left out
 */
async function sendSome(mailer: Mailer, id: string, message: Message, signal: AbortSignal) {
  try {
    return { reply: await mailer.send(id, message, signal), note: null };
  } catch (error) {
    if (!message.attachments || !message.linksAttachments || !isAboutFiles(error)) throw error;
    const { attachments: _, ...others } = message;
    const reply = await mailer.send(id, others, signal);
    const { response } = error as { response?: string };
    return {
      reply,
      note: `Sent with links, because the server refused the files: ${response ?? (error as Error).message}`,
    };
  }
}

/** Codes of a mail that is too large (552, X.3.4), or refused for what is in it (X.7.0 to X.7.9; RFC 3463). */
const FILES_REFUSED = /^552|^5\d\d[ -]5\.(?:3\.4|7\.\d)\b/;

function isAboutFiles(error: unknown): boolean {
  const { code = '', responseCode, response = '' } = error as Refusal;
  if (!ABOUT_THE_MAIL.includes(code)) return false;
  // Without a code nodemailer itself says that the mail is larger than the server announced to take.
  return responseCode === undefined ? code === 'EMESSAGE' : FILES_REFUSED.test(response);
}

interface Refusal {
  code?: string;
  responseCode?: number;
  response?: string;
  message?: string;
}

/** Error codes of nodemailer that concern the mail itself; others concern us. */
const ABOUT_THE_MAIL = ['EENVELOPE', 'EMESSAGE'];
const LOGIN_REQUIRED = 530;

/** Returns the result of a refusal: 5xx is final, unless the server refuses us rather than the mail. */
function failure(error: unknown): AttemptResult {
  const { code = '', responseCode, response, message } = error as Refusal;
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
