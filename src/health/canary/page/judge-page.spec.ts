import {
  BROKEN_PAGES,
  GOOD_PAGE,
  PROVEN_PAGE,
  UNPROVEN_PAGES,
  UNSEEN_PAGES,
} from '../../../../test/support/broken-pages.js';
import { judgePage } from './judge-page.js';
import { HtmlTooComplex } from '../../../platform/html/read-html.js';
import type { PageFacts } from './fetch-page.js';
import { pageOf } from './read-page.js';

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

async function codes(html: string, facts = FACTS, url = 'http://www.example.com/contact') {
  const page = await pageOf(html, new URL(url));
  return judgePage(page, { policies: [] }, facts).map(({ code }) => code);
}

describe('A page', () => {
  it('is well with its form, whoever leads here', async () => {
    expect(await codes(GOOD_PAGE(ADDRESS))).toEqual([]);
    expect(await codes(GOOD_PAGE('http://forms.example.org/f/mnopqrst'))).toEqual([]);
    // Its own host passes it on.
    expect(await codes(GOOD_PAGE(`/f/${ID}`))).toEqual([]);
    expect(await codes(PROVEN_PAGE(ADDRESS), SPAM_FACTS)).toEqual([]);
    const inPlace = PROVEN_PAGE(ADDRESS).replace('proof-of-work.js', 'f.0123456789ab.js');
    expect(await codes(inPlace.replace('<form', '<form data-fcs'), SPAM_FACTS)).toEqual([]);
    expect(await codes(inPlace, SPAM_FACTS)).toEqual(['snippet_missing']);
  });

  it.each(Object.entries({ ...BROKEN_PAGES, ...UNSEEN_PAGES }))('is named: %s', async (code, htmlOf) => {
    expect(await codes(htmlOf(ADDRESS))).toEqual([code]);
  });

  it.each(Object.entries(UNPROVEN_PAGES))('lacks what is asked for: %s', async (code, htmlOf) => {
    expect(await codes(htmlOf(ADDRESS), SPAM_FACTS)).toContain(code);
  });

  it('is read without its scripts, styles and comments, whatever stands in them', async () => {
    const code = `<SCRIPT data-a="b">if (a < b) "<form><!--"</SCRIPT ><style>p::before{content:"</p><form>"}</style><!-- <form> <script> -->`;
    const html = `${code}<!-->${GOOD_PAGE(ADDRESS)}<script>"</form>`;
    expect(await codes(html)).toEqual([]);
    const page = await pageOf(html, new URL('http://www.example.com/'));
    expect(page.scripts).toBe('if (a < b) "<form><!--"\n"</form>');
    const long = `<p>${'x'.repeat(600_000)}</p>${GOOD_PAGE(ADDRESS)}`;
    await expect(codes(long)).rejects.toThrow(HtmlTooComplex);
    expect(await codes(long.replace('<p>', '<script>').replace('</p>', '</script>'))).toEqual([]);
  });

  it('of https does not send by http', async () => {
    expect(await codes(GOOD_PAGE(ADDRESS), FACTS, 'https://www.example.com/')).toEqual(['action_insecure']);
  });

  it('with a form twice is as good as the better one', async () => {
    const broken = BROKEN_PAGES.submit_missing?.(ADDRESS) ?? '';
    expect(await codes(`${broken}${GOOD_PAGE(ADDRESS)}`)).toEqual([]);
    expect(await codes(broken)).toEqual(['submit_missing']);
  });
});
