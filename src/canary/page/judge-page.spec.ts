import { describe, expect, it } from '@jest/globals';
import {
  BROKEN_PAGES,
  GOOD_PAGE,
  PROVEN_PAGE,
  UNPROVEN_PAGES,
  UNSEEN_PAGES,
} from '../../../test/support/broken-pages.js';
import { judgePage } from './judge-page.js';
import { PageTooComplex } from './parse-bounded.js';
import type { PageFacts } from './page-facts.js';
import { readPage } from './read-page.js';

const ID = '00112233445566aa';
const ADDRESS = `http://forms.example.org/f/${ID}`;
const FACTS: PageFacts = {
  ...{ address: ADDRESS, identifier: ID, aliases: ['mnopqrst'], usual: [] },
  hosts: new Set(['forms.example.org']),
  ...{ required: ['email'], honeypots: [], asksForProof: false, captcha: null },
};
const SPAM_FACTS: PageFacts = {
  ...FACTS,
  honeypots: ['website'],
  asksForProof: true,
  captcha: { provider: 'turnstile', siteKey: 'KEY' },
};

function codes(html: string, facts = FACTS, url = 'http://www.example.com/contact'): string[] {
  const page = readPage(html, new URL(url));
  return judgePage(page, { policies: [] }, facts).map(({ code }) => code);
}

describe('A page', () => {
  it('is well with its form, whoever leads here', () => {
    expect(codes(GOOD_PAGE(ADDRESS))).toEqual([]);
    expect(codes(GOOD_PAGE('http://forms.example.org/f/mnopqrst'))).toEqual([]);
    // Its own host passes it on.
    expect(codes(GOOD_PAGE(`/f/${ID}`))).toEqual([]);
    expect(codes(PROVEN_PAGE(ADDRESS), SPAM_FACTS)).toEqual([]);
  });

  it.each(Object.entries({ ...BROKEN_PAGES, ...UNSEEN_PAGES }))('is named: %s', (code, pageOf) => {
    expect(codes(pageOf(ADDRESS))).toEqual([code]);
  });

  it.each(Object.entries(UNPROVEN_PAGES))('lacks what is asked for: %s', (code, pageOf) => {
    expect(codes(pageOf(ADDRESS), SPAM_FACTS)).toContain(code);
  });

  it('of https does not send by http', () => {
    expect(codes(GOOD_PAGE(ADDRESS), FACTS, 'https://www.example.com/')).toEqual([
      'action_insecure',
    ]);
  });

  it('with a form twice is as good as the better one', () => {
    const broken = BROKEN_PAGES.submit_missing?.(ADDRESS) ?? '';
    expect(codes(`${broken}${GOOD_PAGE(ADDRESS)}`)).toEqual([]);
    expect(codes(broken)).toEqual(['submit_missing']);
  });

  it.each([
    ['<form'.repeat(200_000)],
    ['<!--'.repeat(200_000)],
    ['<div>'.repeat(100_000)],
    [`${'<b>'.repeat(400)}${'<p>'.repeat(300_000)}`],
    [`<form action="${ADDRESS}" method=post>${'<input name=a>'.repeat(50_000)}`],
  ])('of a hostile site takes little time', (html) => {
    const begin = performance.now();
    try {
      codes(html);
    } catch (error) {
      expect(error).toBeInstanceOf(PageTooComplex);
    }
    expect(performance.now() - begin).toBeLessThan(5_000);
  });
});
