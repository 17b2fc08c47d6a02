import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { typedAddress } from '../../platform/kernel/text/typed-address.js';
import { rspamd } from '../signals/rspamd.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import { ExternalFilter, callFilter, FilterUnclear } from './external-filter.js';

/** Text of one submission that is checked, in characters; and of its subject. */
const TEXT_MAX = 50_000;
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
  async verify(signal: AbortSignal): Promise<void> {
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
async function mailOf({ fields }: SpamEvidence, from: string, to: string): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer/index.js');
  const subject = fields.find(({ text }) => text !== '' && text.length <= SUBJECT_MAX)?.text ?? '';
  const lines = fields.map(({ name, text }) => `${name}: ${text}`).join('\n');
  const text = lines.slice(0, TEXT_MAX).toWellFormed();
  return new MailComposer({ from, to, subject: subject.toWellFormed(), text }).compile().build();
}

function senderOf({ fields }: SpamEvidence): string {
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

function isAscii(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
