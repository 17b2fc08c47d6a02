import { NOTHING_KNOWN } from '../../../test/support/evidence.js';
import { areAlike, fingerprintOf, SpamHistory } from '../history/spam-history.js';
import type { SpamEvidence, SpamSignal } from '../evidence/spam-evidence.js';
import { SpamSettings } from './spam-settings.js';
import { botHeaders } from '../signals/bot-headers.js';
import { rate } from '../signals/rate.js';
import { repetition } from '../signals/repetition.js';
import { links } from '../signals/links.js';
import { origin } from '../signals/origin.js';
import { script } from '../signals/script.js';

const NOW = new Date('2030-01-31T12:00:00Z');
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0';

function points(signal: SpamSignal, evidence: Partial<SpamEvidence>, own: object = {}): number {
  const spamSettings = JSON.stringify(own);
  const settings = SpamSettings.of({ spamSettings, whitelistedDomains: null });
  return signal.look({ ...NOTHING_KNOWN, ...evidence }, settings)?.points ?? 0;
}

const message = (text: string, name = 'message') => ({ fields: [{ name, text }] });

describe('The signal links', () => {
  it.each([
    ['See https://example.com/cake and www.example.org', 0],
    [`${'We would like a cake like these three. '.repeat(6)}https://a.test https://b.test https://c.test`, 2],
    ['https://a.test https://b.test https://c.test', 4],
    ['Great [url=https://a.test]pills[/url]', 4],
    ['<a href="https://a.test">pills</a>', 4],
  ])('finds in %j what is worth %d', (text, worth) => {
    expect(points(links, message(text))).toBe(worth);
  });

  it('takes a link in a name for what it is, and one in the field of a website for what that is', () => {
    expect(points(links, message('https://a.test', 'name'))).toBe(6);
    expect(points(links, message('https://a.test', 'website'))).toBe(0);
  });
});

describe('The signal script', () => {
  it.each([
    ['Пожалуйста, пришлите the price list', 0],
    ['Please send the price list', 0],
    ['Please visit pаypаl today', 4],
    ['Größe 40 in Übergrößen, ça va? 你好', 0],
  ])('finds in %j what is worth %d', (text, worth) => {
    expect(points(script, message(text))).toBe(worth);
  });

  it('speaks of other scripts only where a form expects some', () => {
    const russian = message('Пожалуйста, пришлите мне прайс-лист');
    expect(points(script, russian)).toBe(0);
    expect(points(script, russian, { scripts: ['Latin'] })).toBe(4);
    expect(points(script, russian, { scripts: ['Latin', 'Cyrillic'] })).toBe(0);
    expect(points(script, message('Да!'), { scripts: ['Latin'] })).toBe(0);
  });
});

it('The signal bot_headers knows a program that says it is a browser, and leaves alone what says it is none', () => {
  expect(points(botHeaders, { userAgent: CHROME })).toBe(3);
  expect(points(botHeaders, { userAgent: CHROME, acceptLanguage: 'de' })).toBe(0);
  expect(points(botHeaders, { userAgent: 'curl/8.5.0' })).toBe(0);
  expect(points(botHeaders, {})).toBe(0);
});

describe('What came before', () => {
  const TEXT = 'We offer first class search engine optimisation for your website and more customers every day.';
  const add = (history: SpamHistory, text: string, { account = 1, network = '', after = 0 } = {}) =>
    history.add(account, network, [{ text }], new Date(NOW.getTime() + after));

  it('counts texts that are the same but for a few words, within a day and an account', () => {
    const history = new SpamHistory();
    expect(add(history, TEXT).alike).toBe(0);
    expect(add(history, TEXT.replace('website', 'web shop')).alike).toBeLessThanOrEqual(1);
    expect(add(history, `${TEXT.toUpperCase()}!!`).alike).toBeGreaterThanOrEqual(1);
    expect(add(history, TEXT, { account: 2 }).alike).toBe(0);
    expect(add(history, TEXT, { after: 86_400_001 }).alike).toBe(0);
    expect(points(repetition, { alike: 1 })).toBe(4);
  });

  it('does not count short answers, which many people give', () => {
    const history = new SpamHistory();
    for (let time = 0; time < 5; time++) expect(add(history, 'Saturday at noon').alike).toBe(0);
  });

  it('tells different enquiries apart', () => {
    const other = 'Hello, I would like to order a wedding cake for sixty people on the third of June, please.';
    const [one, two] = [fingerprintOf([{ text: TEXT }]), fingerprintOf([{ text: other }])];
    expect(one && two && areAlike(one.high ^ two.high, one.low ^ two.low)).toBe(false);
  });

  it('counts what came from a network within ten minutes; an office may send ten', () => {
    const history = new SpamHistory();
    const counts = Array.from({ length: 12 }, () => add(history, '', { network: '192.0.2.1' }));
    expect(counts.at(-1)?.fromNetwork).toBe(11);
    expect(add(history, '', { network: '192.0.2.2' }).fromNetwork).toBe(0);
    expect(add(history, '', { network: '192.0.2.1', after: 600_000 }).fromNetwork).toBe(0);
    expect([9, 10].map((fromNetwork) => points(rate, { fromNetwork }))).toEqual([0, 2]);
  });
});

it('An origin that was cut when it was stored fits its reason', () => {
  const from = `https://${'a.'.repeat(120)}test`;
  const settings = SpamSettings.of({ spamSettings: null, whitelistedDomains: 'a.test' });
  const found = origin.look({ ...NOTHING_KNOWN, origin: from }, settings);
  expect(found?.reason).toHaveLength(255);
});
