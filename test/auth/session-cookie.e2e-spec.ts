import { Browser } from '../support/people.js';
import { useService } from '../support/service.js';

describe.each([
  ['https://forms.example.com', '__Host-fcs_session', true],
  ['http://forms.example.com', 'fcs_session', false],
])('The cookie of a session at %s', (BASE_URL, name, isSecure) => {
  const service = useService({ BASE_URL });

  it(`is called ${name}, is good for this host and all of its paths, and goes when one signs out`, async () => {
    const { email } = await service().makePerson(await service().openAccount());
    const browser = new Browser(service());
    const { headers } = await browser.signIn(email);
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];

    expect(cookie.startsWith(`${name}=`)).toBe(true);
    expect(cookie).toContain('; Path=/;');
    expect(cookie).not.toContain('Domain');
    expect(cookie.includes('; Secure')).toBe(isSecure);
    expect((await browser.get('/account')).status).toBe(200);

    await browser.post('/sign-out');
    expect([...browser.cookies.keys()]).not.toContain(name);
  });

  it('of another name opens nothing: one of a plain page does not become that of a safe one', async () => {
    const browser = await service().makeBrowser(await service().openAccount());
    const secret = String(browser.session);
    browser.cookies.clear();
    browser.cookies.set(isSecure ? 'fcs_session' : '__Host-fcs_session', secret);

    expect((await browser.get('/account')).status).toBe(303);
  });
});
