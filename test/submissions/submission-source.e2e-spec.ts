import { useService } from '../support/service.js';
import { Inbox, urlencoded } from '../support/submit.js';

const ONE = urlencoded([['a', '1']]);
const V6 = '2001:db8:a:b:c:d:e:f';

/** Submits with these headers, and tells what is kept of where it came from. */
async function sender(inbox: Inbox, headers: Record<string, string>) {
  const id = await inbox.accept({ ...ONE, headers });
  const path = `/api/v1/forms/${inbox.form.identifier}/submissions/${id}/source` as const;
  return await inbox.owner.read(path);
}

const address = async (inbox: Inbox, forwarded: string) =>
  (await sender(inbox, { 'X-Forwarded-For': forwarded })).address;

/** A service with these settings, and a fresh form for each test. */
function useInbox(settings: Record<string, string>): () => Inbox {
  const service = useService(settings);
  let inbox: Inbox;
  beforeEach(async () => {
    inbox = await Inbox.open(service());
  });
  return () => inbox;
}

describe('Of a visitor', () => {
  const inbox = useInbox({});

  it('origin, page, browser and a truncated address are kept', async () => {
    const headers = {
      Origin: 'https://example.com',
      Referer: 'https://example.com/contact?a=1',
      'User-Agent': 'Mozilla/5.0',
    };
    expect(await sender(inbox(), headers)).toEqual({
      origin: 'https://example.com',
      referer: 'https://example.com/contact?a=1',
      user_agent: 'Mozilla/5.0',
      address: '127.0.0.0',
      country: null,
      language: null,
      subject: null,
    });
  });

  it('the origin of the page is kept when the browser sent only that', async () => {
    const headers = { Referer: 'https://example.com:8080/contact' };
    expect(await sender(inbox(), headers)).toMatchObject({ origin: 'https://example.com:8080' });
  });

  it('headers of any length are no reason to lose the submission', async () => {
    const long = 'x'.repeat(6_000);
    const headers = {
      Origin: `https://${long}.example`,
      Referer: `https://example.com/${long}`,
      'User-Agent': `\u00e9${long}`,
    };
    const kept = await sender(inbox(), headers);
    expect(kept.referer).toHaveLength(2_048);
    expect(kept.user_agent).toHaveLength(512);
    expect((kept.origin ?? '').length).toBeLessThanOrEqual(255);
  });
});

describe('STORE_IP', () => {
  const proxy = { TRUST_PROXY: '1' };

  describe('full', () => {
    const inbox = useInbox({ ...proxy, STORE_IP: 'full' });
    it.each([
      ['203.0.113.77', '203.0.113.77'],
      [V6, V6],
      ['::ffff:203.0.113.77', '203.0.113.77'],
      [`fe80::1%${'x'.repeat(60)}`, 'fe80::1'],
    ])('keeps %s as %s', async (sent, kept) => {
      expect(await address(inbox(), sent)).toBe(kept);
    });
  });

  describe('truncated', () => {
    const inbox = useInbox({ ...proxy, STORE_IP: 'truncated' });
    it.each([
      ['203.0.113.77', '203.0.113.0'],
      [V6, '2001:db8:a::'],
      ['2001:db8::1', '2001:db8::'],
      ['::1', '::'],
      ['::ffff:203.0.113.77', '203.0.113.0'],
    ])('keeps %s as %s', async (sent, kept) => {
      expect(await address(inbox(), sent)).toBe(kept);
    });
  });

  describe('none', () => {
    const inbox = useInbox({ ...proxy, STORE_IP: 'none' });
    it('keeps nothing', async () => {
      expect(await address(inbox(), '203.0.113.77')).toBeNull();
    });
  });
});

describe('COUNTRY_HEADER', () => {
  const named = { COUNTRY_HEADER: 'CF-IPCountry' };
  const country = async (inbox: Inbox, said: string) => (await sender(inbox, { 'CF-IPCountry': said })).country;

  describe('behind a proxy that is trusted', () => {
    const inbox = useInbox({ ...named, TRUST_PROXY: '127.0.0.1,::1' });
    it.each([
      ['DE', 'DE'],
      ['de', 'DE'],
      ['XX', null],
      ['T1', null],
      ['Germany', null],
    ])('says %s: %s is kept', async (said, kept) => {
      expect(await country(inbox(), said)).toBe(kept);
    });
  });

  describe.each([
    ['without a proxy that is trusted', named],
    ['behind a proxy that is trusted at other addresses', { ...named, TRUST_PROXY: '10.0.0.0/8' }],
    ['where no address is kept', { ...named, TRUST_PROXY: '1', STORE_IP: 'none' }],
    ['unless it is set', { TRUST_PROXY: '1' }],
  ])('%s', (_, settings) => {
    const inbox = useInbox(settings);
    it('is not believed', async () => {
      expect(await country(inbox(), 'DE')).toBeNull();
    });
  });
});

describe('TRUST_PROXY (S-07)', () => {
  const full = { STORE_IP: 'full' };

  describe('off', () => {
    const inbox = useInbox(full);
    it('believes no header', async () => {
      const headers = {
        'X-Forwarded-For': '203.0.113.77',
        Forwarded: 'for=203.0.113.77',
        'X-Real-IP': '203.0.113.77',
        'X-Client-IP': '203.0.113.77',
        'CF-Connecting-IP': '203.0.113.77',
        'True-Client-IP': '203.0.113.77',
      };
      expect((await sender(inbox(), headers)).address).toBe('127.0.0.1');
    });
  });

  describe.each([
    ['1', { '203.0.113.1': '203.0.113.1', '198.51.100.6, 203.0.113.1': '203.0.113.1' }],
    [
      '2',
      {
        '203.0.113.1': '203.0.113.1',
        '203.0.113.1, 192.0.2.9': '203.0.113.1',
        '198.51.100.6, 203.0.113.1, 192.0.2.9': '203.0.113.1',
      },
    ],
    [
      '127.0.0.0/8, 10.0.0.0/8',
      {
        '203.0.113.1': '203.0.113.1',
        '203.0.113.1, 10.1.2.3': '203.0.113.1',
        '198.51.100.6, 203.0.113.1, 10.1.2.3, 10.9.9.9': '203.0.113.1',
        '10.1.2.3': '10.1.2.3',
        '203.0.113.1, 192.0.2.9': '192.0.2.9',
      },
    ],
    ['10.0.0.0/8', { '203.0.113.1': '127.0.0.1' }],
  ])('%s', (trusted, cases) => {
    const inbox = useInbox({ ...full, TRUST_PROXY: trusted });
    it.each(Object.entries(cases))('takes the visitor of %s to be %s', async (sent, visitor) => {
      expect(await address(inbox(), sent)).toBe(visitor);
    });

    it('stores the submission whatever the header says, and never what is no address', async () => {
      const nonsense = ['x'.repeat(100), 'unknown', '<script>', '203.0.113.1:4711', '1.2.3', ',,,', '"'];
      for (const sent of nonsense) {
        expect(await address(inbox(), sent)).toBe('127.0.0.1');
      }
    });
  });
});
