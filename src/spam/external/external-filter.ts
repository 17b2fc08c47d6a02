import { Logger, Injectable } from '@nestjs/common';
import { MINUTE_MS, Config, typedAddress } from '../../platform/index.js';
import type { SpamEvidence, FormRules, FoundPart, SignalDefaults, SlowSignal } from '../evidence/spam-evidence.js';
import { akismet } from '../signals/akismet.js';
import { rspamd } from '../signals/rspamd.js';

interface FilterAnswer {
  text: string;
  headers: Headers;
}

/** Time between two lines of the log that say the same, in milliseconds. */
const QUIET_MS = 10 * MINUTE_MS;

/**
 * Asks a spam filter outside of this process. It says that a submission is spam, or that it is none, or nothing:
 * a filter that is away, slow or wrong is the operator's to know, and changes no verdict.
 */
abstract class ExternalFilter implements SlowSignal {
  readonly name: string;
  readonly points: number;
  readonly enabled: boolean;
  protected abstract readonly logger: Logger;
  private lastTold = -Infinity;

  constructor(defaults: SignalDefaults) {
    this.name = defaults.name;
    this.points = defaults.points;
    this.enabled = defaults.enabled;
  }

  readonly look = async (evidence: SpamEvidence, settings: FormRules, late: AbortSignal): Promise<FoundPart | null> => {
    try {
      const found = await this.ask(evidence, late);
      return found && settings.part(this.name, found.reason, found.share);
    } catch (error) {
      this.tell((error as Error).message);
      return null;
    }
  };

  /**
   * Asks the filter; null when it finds nothing, or when there is none.
   * @throws FilterUnclear
   */
  protected abstract ask(evidence: SpamEvidence, late: AbortSignal): Promise<{ reason: string; share: number } | null>;

  private tell(reason: string) {
    const now = performance.now();
    if (now - this.lastTold < QUIET_MS) return;
    this.lastTold = now;
    this.logger.warn('A spam filter says nothing', { filter: this.name, reason });
  }
}

/** Longest answer of a filter that is read, in bytes. */
const ANSWER_MAX_BYTES = 256 * 1024;

/** A filter did not answer, or not as it should. */
class FilterUnclear extends Error {}

/**
 * Calls a spam filter that the operator named. It is told nothing more than once, and redirects are not followed.
 * @throws FilterUnclear
 */
async function callFilter(
  url: string,
  request: { method?: 'GET' | 'POST'; headers?: Record<string, string>; body?: string | Buffer },
  signal: AbortSignal,
): Promise<FilterAnswer> {
  try {
    const { body, ...rest } = request;
    const response = await fetch(url, {
      ...rest,
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
      redirect: 'error',
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new FilterUnclear(`It answers with status ${response.status}.`);
    }
    return { text: await textOf(response), headers: response.headers };
  } catch (error) {
    if (error instanceof FilterUnclear) throw error;
    if (signal.aborted) throw new FilterUnclear('It does not respond in time.');
    const { message, cause } = error as Error;
    throw new FilterUnclear(cause instanceof Error ? cause.message : message);
  }
}

async function textOf(response: Response) {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > ANSWER_MAX_BYTES) throw new FilterUnclear('Its answer is too long.');
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString();
}

/** Text of one submission that is checked, in characters. */
const AKISMET_TEXT_MAX = 20_000;
const NAME = /^(?:(?:first|last|full|your)[ _-]?)?name$/i;
/** Share of points for submissions that Akismet would not even keep. */
const CERTAIN_SHARE = 2;

/** Says what Akismet makes of a submission. */
@Injectable()
export class Akismet extends ExternalFilter {
  protected readonly logger = new Logger(Akismet.name);

  constructor(private readonly config: Config) {
    super(akismet);
  }

  /** Asks whether it knows the key. @throws FilterUnclear */
  async verify(signal: AbortSignal) {
    const { akismetKey: key = '' } = this.config.filters;
    const { text, headers } = await this.call('verify-key', { key, api_key: key }, signal);
    if (text.trim() !== 'valid') throw unclear(headers);
  }

  protected async ask(evidence: SpamEvidence, late: AbortSignal) {
    const { akismetKey } = this.config.filters;
    // It refuses to judge without an address.
    if (akismetKey === undefined || evidence.address === '') return null;
    const sent = { api_key: akismetKey, ...commentOf(evidence) };
    const { text, headers } = await this.call('comment-check', sent, late);
    if (text.trim() === 'false') return null;
    if (text.trim() !== 'true') throw unclear(headers);
    const isCertain = headers.get('x-akismet-pro-tip') === 'discard';
    const reason = isCertain ? 'Akismet is certain that it is spam.' : 'Akismet says that it is spam.';
    return { reason, share: isCertain ? CERTAIN_SHARE : 1 };
  }

  private call(method: string, sent: Record<string, string>, signal: AbortSignal): Promise<FilterAnswer> {
    const body = new URLSearchParams({ ...sent, blog: this.config.baseUrl });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const url = `${this.config.filters.akismetUrl}/1.1/${method}`;
    return callFilter(url, { method: 'POST', headers, body: body.toString() }, signal);
  }
}

function unclear(headers: Headers) {
  const help = headers.get('x-akismet-alert-msg') ?? headers.get('x-akismet-debug-help');
  return new FilterUnclear(help ?? 'It rejects the key.');
}

/** Returns the parameters that Akismet has for what a visitor wrote. */
function commentOf({ fields, address, userAgent, origin }: SpamEvidence): Record<string, string> {
  const email = fields.map(({ text }) => typedAddress(text)).find((each) => each !== null);
  const name = fields.find((field) => NAME.test(field.name))?.text;
  const content = fields.map(({ text }) => text).filter((text) => text !== name && text !== email);
  return {
    comment_type: 'contact-form',
    user_ip: address,
    blog_charset: 'UTF-8',
    comment_content: content.join('\n').slice(0, AKISMET_TEXT_MAX).toWellFormed(),
    ...(userAgent !== null && { user_agent: userAgent }),
    ...(origin !== null && { referrer: origin }),
    ...(name !== undefined && { comment_author: name.toWellFormed() }),
    ...(email != null && { comment_author_email: email }),
  };
}

/** Text of one submission that is checked, in characters; and of its subject. */
const RSPAMD_TEXT_MAX = 50_000;
const SUBJECT_MAX = 100;
/** Symbols that the reason names. */
const NAMED_SYMBOLS = 4;
/** Actions that mean spam; all others let an email through. */
const SPAM = new Set(['add header', 'rewrite subject', 'reject']);
const ANYBODY = 'anonymous@form.invalid';
/** A submission never was a mail, so nothing that mail servers prove is missing. */
const SETTINGS = JSON.stringify({ groups_disabled: ['spf', 'dkim', 'dmarc', 'arc', 'hfilter'] });

interface Answer {
  is_skipped?: boolean;
  action?: unknown;
  score?: unknown;
  required_score?: unknown;
  symbols?: Record<string, { score?: unknown }>;
}

/** Says what the operator's rspamd makes of a submission that is written as a mail. */
@Injectable()
export class Rspamd extends ExternalFilter {
  protected readonly logger = new Logger(Rspamd.name);

  constructor(private readonly config: Config) {
    super(rspamd);
  }

  /** Asks whether it is there. @throws FilterUnclear */
  async verify(signal: AbortSignal) {
    const { text } = await callFilter(`${this.config.filters.rspamdUrl ?? ''}/ping`, {}, signal);
    if (!text.startsWith('pong')) throw new FilterUnclear('The answer does not come from Rspamd.');
  }

  protected async ask(evidence: SpamEvidence, late: AbortSignal) {
    const { rspamdUrl } = this.config.filters;
    if (rspamdUrl === undefined) return null;
    const { host } = new URL(this.config.baseUrl);
    const recipient = `form-${evidence.form.id}@${host.replace(/:.*/, '')}`;
    const sender = senderOf(evidence);
    const headers = {
      Settings: SETTINGS,
      Rcpt: recipient,
      From: isAscii(sender) ? sender : ANYBODY,
      ...(evidence.address !== '' && { IP: evidence.address }),
    };
    const body = await mailOf(evidence, sender, recipient);
    const request = { method: 'POST', headers, body } as const;
    const { text } = await callFilter(`${rspamdUrl}/checkv2`, request, late);
    return foundIn(answerOf(text));
  }
}

/** Writes a submission as a mail from its visitor to the form. */
async function mailOf({ fields }: SpamEvidence, from: string, to: string) {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js');
  const subject = fields.find(({ text }) => text !== '' && text.length <= SUBJECT_MAX)?.text ?? '';
  const lines = fields.map(({ name, text }) => `${name}: ${text}`).join('\n');
  const text = lines.slice(0, RSPAMD_TEXT_MAX).toWellFormed();
  return new MailComposer({ from, to, subject: subject.toWellFormed(), text }).compile().build();
}

function senderOf({ fields }: SpamEvidence) {
  for (const { text } of fields) {
    const address = typedAddress(text);
    if (address !== null) return address;
  }
  return ANYBODY;
}

/** @throws FilterUnclear */
function answerOf(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer === 'object' && answer !== null && 'action' in answer) return answer;
  } catch {
    // It says no more than any other text.
  }
  throw new FilterUnclear('The answer does not come from Rspamd.');
}

function foundIn({ is_skipped: isSkipped, action, score, required_score, symbols = {} }: Answer) {
  if (isSkipped === true || typeof action !== 'string' || !SPAM.has(action)) return null;
  const named = Object.entries(symbols)
    .map(([name, symbol]) => ({ name, score: Number(symbol.score) }))
    .filter(({ name, score: points }) => points > 0 && /^\w{1,60}$/.test(name))
    .sort((one, other) => other.score - one.score)
    .slice(0, NAMED_SYMBOLS)
    .map(({ name }) => name);
  const points = `${Number(score).toFixed(1)} of ${Number(required_score).toFixed(1)} points`;
  const why = named.length === 0 ? '' : `: ${named.join(', ')}`;
  return { reason: `Rspamd gives it ${points}${why}.`, share: 1 };
}

function isAscii(text: string) {
  return /^[\x21-\x7e]+$/.test(text);
}
