import { request } from 'undici';
import { useService, useOwner, useSignedIn } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const browser = useSignedIn(service, owner);

/** Returns how the answer to a GET of who is signed in came over the wire, and its size in bytes. */
async function got(path: string, accept = 'text/html') {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ');
  const { headers, body } = await request(service().url + path, {
    headers: { accept, cookie, 'accept-encoding': 'gzip, br' },
  });
  if (accept === 'text/event-stream') {
    body.on('error', () => undefined).destroy();
    return { encoding: headers['content-encoding'], bytes: 0 };
  }
  const { byteLength: bytes } = await body.arrayBuffer();
  return { encoding: headers['content-encoding'], bytes };
}

describe('What is read', () => {
  it('comes compressed: pages, and the API', async () => {
    for (let count = 0; count < 57; count++) await owner.makeForm();
    const whole = (await browser.get('/inbox')).text.length;
    const inbox = await got('/inbox');

    expect(inbox.encoding).toBe('br');
    expect(inbox.bytes).toBeLessThan(whole / 4);
    const { body, headers } = await request(`${service().url}/api/v1/forms`, {
      headers: { authorization: `Bearer ${owner.secret ?? ''}`, 'accept-encoding': 'gzip' },
    });
    await body.dump();
    expect(headers['content-encoding']).toBe('gzip');
  });

  it('stays as it is where it shows a secret, or does not end', async () => {
    const form = await owner.makeForm({ webhook_url: 'https://example.com/hook' });

    const webhook = await owner.firstPath(form, 'webhook');
    for (const path of [`${webhook}/secret`, '/account/totp']) {
      expect({ path, ...(await got(path)) }).toMatchObject({ path, encoding: undefined });
    }
    expect((await got('/api/v1/events', 'text/event-stream')).encoding).toBeUndefined();
  });
});
