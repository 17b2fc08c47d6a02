import { describe, expect, it } from '@jest/globals';
import { spamVerdict } from './spam-verdict.js';

describe('The verdict', () => {
  const form = (whitelistedDomains: string | null) => ({ whitelistedDomains });

  it('needs no origin when every domain is allowed', () => {
    expect(spamVerdict(form(null), { honeypot: null, origin: null })).toBeNull();
  });

  it('names the honeypot before the domain', () => {
    expect(spamVerdict(form('a.test'), { honeypot: '_gotcha', origin: 'https://b.test' })).toEqual({
      code: 'honeypot',
      reason: expect.stringContaining('_gotcha'),
    });
  });

  it('fits its column whatever the origin', () => {
    const origin = `https://${'a.'.repeat(120)}test`;
    expect(spamVerdict(form('a.test'), { honeypot: null, origin: origin })?.reason).toHaveLength(
      255,
    );
  });

  it('tells an origin that is missing from one that is not allowed', () => {
    expect(spamVerdict(form('a.test'), { honeypot: null, origin: null })?.code).toBe(
      'origin_unknown',
    );
    expect(spamVerdict(form('a.test'), { honeypot: null, origin: 'https://b.test' })?.code).toBe(
      'origin_not_allowed',
    );
  });
});
