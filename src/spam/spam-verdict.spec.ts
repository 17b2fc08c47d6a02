import { describe, expect, it } from '@jest/globals';
import type { Form } from '../forms/form.entity.js';
import { spamVerdict } from './spam-verdict.js';

describe('The verdict', () => {
  const form = (whitelistedDomains: string | null) => ({ whitelistedDomains }) as Form;
  const sent = (honeypot: string | null) => ({
    members: [],
    files: [],
    honeypot,
    idempotencyKey: null,
  });

  it('needs no origin when every domain is allowed', () => {
    expect(spamVerdict(form(null), sent(null), null)).toBeNull();
  });

  it('names the honeypot before the domain', () => {
    expect(spamVerdict(form('a.test'), sent('_gotcha'), 'https://b.test')).toEqual({
      code: 'honeypot',
      reason: expect.stringContaining('_gotcha'),
    });
  });

  it('fits its column whatever the origin', () => {
    const origin = `https://${'a.'.repeat(120)}test`;
    expect(spamVerdict(form('a.test'), sent(null), origin)?.reason).toHaveLength(255);
  });

  it('tells an origin that is missing from one that is not allowed', () => {
    expect(spamVerdict(form('a.test'), sent(null), null)?.code).toBe('origin_unknown');
    expect(spamVerdict(form('a.test'), sent(null), 'https://b.test')?.code).toBe(
      'origin_not_allowed',
    );
  });
});
