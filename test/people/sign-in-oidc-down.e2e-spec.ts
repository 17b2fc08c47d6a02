import { AddressChecks } from '../../src/operations/doctor/address.checks.js';
import { OidcServer } from '../support/oidc.js';
import { Browser } from '../support/people.js';
import { useService } from '../support/service.js';

/** Nothing listens there, until the test that says so. */
const CLOSED = 'http://127.0.0.1:9';
const provider = new OidcServer();
provider.issuer = CLOSED;
const service = useService(() => provider.settings);

describe('A provider that is down', () => {
  it('keeps the service neither from starting nor people from signing in another way', async () => {
    const { email } = await service().makePerson(await service().openAccount());
    const browser = new Browser(service());
    const { status, text, headers } = await browser.post('/sign-in/oidc');
    expect(status).toBe(503);
    expect(text).toContain('The identity provider is not responding');
    expect(headers.refresh).toBeUndefined();

    expect((await browser.signIn(email)).status).toBe(303);
  });

  it('is what the doctor tells of', async () => {
    const finding = await service().app.get(AddressChecks, { strict: false }).oidc();
    expect(finding.state).toBe('failed');
    expect(finding.detail).toContain(CLOSED);
    expect(finding.detail).toContain('OIDC_ISSUER');
  });
});
