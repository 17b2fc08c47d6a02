import fc from 'fast-check';
import { domainToASCII } from 'node:url';
import { isPlainHost, isPlainOrigin } from './addresses.js';

const SOME = ['example.com', 'a.b-c.d1.org', 'x--y.de', '1.2.shop', '-a.b'];
const OTHERS = ['Example.com', 'localhost', '1.2.3.4', 'a.0xf', 'xn--a.com', 'a..b', 'ä.de'];

describe('A plain host', () => {
  it.each([...SOME, ...OTHERS])('is one, or not: %s', (host) => {
    expect(isPlainHost(host)).toBe(SOME.includes(host));
    expect(isPlainOrigin(`https://${host}`)).toBe(SOME.includes(host));
  });

  it('is what a parser of URLs leaves as it is', () => {
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '0', '1', '9', '-', 'x', 'n', '.'), maxLength: 12 });
    fc.assert(
      fc.property(fc.oneof(part, fc.webAuthority(), fc.domain()), (host) => {
        if (isPlainHost(host)) expect(domainToASCII(host)).toBe(host);
        const origin = `http://${host}`;
        if (isPlainOrigin(origin)) expect(new URL(origin).origin).toBe(origin);
      }),
      { numRuns: 2_000 },
    );
  });
});
