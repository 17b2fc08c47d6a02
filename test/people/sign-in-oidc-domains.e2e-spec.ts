import { useOidcServer } from '../support/oidc.js';
import { Browser } from '../support/people.js';
import { useService } from '../support/service.js';

const provider = useOidcServer();
const service = useService(() => ({ ...provider.settings, OIDC_ALLOWED_DOMAINS: 'example.org, Example.COM' }));
let email: string;
let browser: Browser;
beforeEach(async () => {
  ({ email } = await service().makePerson(await service().openAccount()));
  browser = new Browser(service());
});

describe('Where domains are named', () => {
  it('their addresses are let in', async () => {
    await provider.put('one', { email, email_verified: true });
    expect((await provider.through(browser, 'one')).status).toBe(303);
  });

  it.each(['jane@example.net', 'jane@sub.example.com', 'jane@badexample.com', '"a@example.com"@evil.example'])(
    '%s is not, linked or not',
    async (address) => {
      await provider.put('two', { email, email_verified: true });
      await provider.through(browser, 'two');
      await provider.put('two', { email: address, email_verified: true });

      const { status, text } = await provider.through(new Browser(service()), 'two');

      expect(status).toBe(403);
      expect(text).toContain('OIDC_ALLOWED_DOMAINS');
    },
  );

  it('no other address is linked, and none that is not verified', async () => {
    await browser.signIn(email);
    for (const claims of [{ email: 'jane@example.net', email_verified: true }, { email }, {}]) {
      await provider.put('three', claims);
      const { status } = await provider.through(browser, 'three', {}, '/sign-in/oidc/link');
      expect({ claims, status }).toEqual({ claims, status: 403 });
    }
  });
});
