import { Config } from '../../platform/config/config.js';
import { EmailDomainSignal } from './mail-domains.service.js';

const HOUR_MS = 3_600_000;
const fault = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));

let now: number;
let asked: string[];
let domains: EmailDomainSignal;
beforeEach(() => {
  now = 0;
  asked = [];
  domains = new EmailDomainSignal({ now: () => new Date(now) }, Config.from({}));
  answer({});
});

/** Makes the DNS know these records; of a text, it is the fault. */
function answer(records: { mx?: string[] | string; a?: string[] | string; aaaa?: string[] }) {
  const { mx = 'ENOTFOUND', a = 'ENODATA', aaaa = [] } = records;
  domains.resolver = {
    resolveMx: (domain) => {
      asked.push(domain);
      if (typeof mx === 'string') return fault(mx);
      return Promise.resolve(mx.map((exchange) => ({ exchange })));
    },
    resolve4: () => (typeof a === 'string' ? fault(a) : Promise.resolve(a)),
    resolve6: () => Promise.resolve(aaaa),
  };
}

describe('Mail at a domain', () => {
  it.each([
    [{ mx: ['mail.a.test'] }, true],
    [{ mx: [''] }, false],
    [{ mx: ['.'] }, false],
    [{ a: ['192.0.2.1'] }, true],
    [{ aaaa: ['2001:db8::1'] }, true],
    [{ mx: [], a: [] }, false],
    [{}, false],
    [{ mx: 'ETIMEOUT' }, null],
    [{ mx: 'ESERVFAIL', a: ['192.0.2.1'] }, null],
    [{ a: 'EREFUSED' }, null],
  ])('with %j is taken: %j', async (records, taken) => {
    answer(records);
    expect(await domains.takesMail('a.test')).toBe(taken);
  });

  it('is asked for once an hour, at once by several too, and after a minute where nobody answered', async () => {
    const twice = async () => [await domains.takesMail('a.test'), await domains.takesMail('a.test')];
    await Promise.all([twice(), twice()]);
    now = HOUR_MS - 1;
    await twice();
    expect(asked).toHaveLength(1);
    now = HOUR_MS;
    answer({ mx: 'ETIMEOUT' });
    await twice();
    expect(asked).toHaveLength(2);
    now += HOUR_MS / 60;
    await twice();
    expect(asked).toHaveLength(3);
  });

  it('is remembered of the newest 5,000 domains, and asked of 50 at once', async () => {
    for (let n = 0; n <= 5_000; n++) await domains.takesMail(`${n}.test`);
    asked = [];
    await domains.takesMail('5000.test');
    await domains.takesMail('1.test');
    expect(asked).toEqual([]);
    await domains.takesMail('0.test');
    expect(asked).toEqual(['0.test']);

    const releases: (() => void)[] = [];
    const waiting = new Promise<void>((resolve) => releases.push(resolve));
    const { resolver } = domains;
    domains.resolver = { ...resolver, resolveMx: () => waiting.then(() => [{ exchange: 'm' }]) };
    const looks = Array.from({ length: 51 }, (_, n) => domains.takesMail(`more${n}.test`));
    expect(await looks[50]).toBeNull();
    for (const release of releases) release();
    expect(await looks[49]).toBe(true);
    expect(await domains.takesMail('more50.test')).toBe(true);
  });
});
