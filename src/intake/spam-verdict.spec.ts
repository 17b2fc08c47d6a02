import { describe, expect, it } from '@jest/globals';
import type { Form } from '../forms/form.entity.js';
import { pageOrigin, spamVerdict } from './spam-verdict.js';

describe('The origin of a page', () => {
  it.each<[string | undefined, string | undefined, string | null]>([
    [undefined, undefined, null],
    ['null', undefined, null],
    ['https://a.test', 'https://b.test/', 'https://a.test'],
    ['null', 'https://b.test/x', null],
    [undefined, 'https://b.test/x', 'https://b.test'],
    [undefined, 'https://user:pass@b.test:443/x#y', 'https://b.test'],
    ['file:///a', 'about:blank', null],
    ['HTTPS://A.test:8443', undefined, 'https://a.test:8443'],
  ])('with the origin %s and the referer %s is %s', (origin, referer, found) => {
    expect(pageOrigin(origin, referer)).toBe(found);
  });
});

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
    expect(spamVerdict(form('a.test'), sent('_gotcha'), 'https://b.test')).toContain('_gotcha');
  });

  it('fits its column whatever the origin', () => {
    const origin = `https://${'a.'.repeat(120)}test`;
    expect(spamVerdict(form('a.test'), sent(null), origin)).toHaveLength(255);
  });
});
