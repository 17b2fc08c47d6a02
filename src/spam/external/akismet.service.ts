import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { typedAddress } from '../../platform/kernel/text/typed-address.js';
import { akismet } from '../signals/akismet.js';
import type { SpamEvidence } from '../evidence/spam-evidence.js';
import { ExternalFilter, callFilter, FilterUnclear, type FilterAnswer } from './external-filter.js';

/** Text of one submission that is checked, in characters. */
const TEXT_MAX = 20_000;
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
  async verify(signal: AbortSignal): Promise<void> {
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
    const reason = isCertain
      ? 'Akismet is certain that it is spam.'
      : 'Akismet says that it is spam.';
    return { reason, share: isCertain ? CERTAIN_SHARE : 1 };
  }

  private call(
    method: string,
    sent: Record<string, string>,
    signal: AbortSignal,
  ): Promise<FilterAnswer> {
    const body = new URLSearchParams({ ...sent, blog: this.config.baseUrl });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const url = `${this.config.filters.akismetUrl}/1.1/${method}`;
    return callFilter(url, { method: 'POST', headers, body: body.toString() }, signal);
  }
}

function unclear(headers: Headers): FilterUnclear {
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
    comment_content: content.join('\n').slice(0, TEXT_MAX).toWellFormed(),
    ...(userAgent !== null && { user_agent: userAgent }),
    ...(origin !== null && { referrer: origin }),
    ...(name !== undefined && { comment_author: name.toWellFormed() }),
    ...(email != null && { comment_author_email: email }),
  };
}
