import { elementsOf } from '../support/page.js';
import { Browser } from '../support/people.js';
import { useService, useOwner, useForm, useSignedIn } from '../support/service.js';

const service = useService({ WORKERS: 'off' });
/** Its middle character is two for JavaScript, half of which are within what the page shows. */
const LONG = `${'a'.repeat(19_999)}🦓${'b'.repeat(10_000)}`;
const owner = useOwner(service);
const form = useForm(owner);
const browser = useSignedIn(service, owner);

const linksOf = (page: string) =>
  elementsOf(page).flatMap(({ attributes: { href = '' } }) => (/\/value\?at=\d+/.test(href) ? [href] : []));

describe('A value that is longer than its page shows', () => {
  it('begins there, and is a link away as text that nothing runs in', async () => {
    const path = `/inbox/${form.identifier}/${await service().submit(form, { name: 'Jane', essay: LONG })}`;
    const { text: page } = await browser.get(path);
    expect(/a{1000,}[^<]*/.exec(page)?.[0]).toBe(`${'a'.repeat(19_999)}…`);
    expect(linksOf(page)).toEqual([`${path}/value?at=2`]);
    const { text, headers } = await browser.get(`${path}/value?at=2`);
    expect(text).toBe(LONG);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-store',
    });
    for (const none of ['', '0', '3', 'x', '1.5', 'length']) {
      expect((await browser.get(`${path}/value?at=${none}`)).status).toBe(404);
    }
  });

  it('keeps its place where the owner has put the fields in another order', async () => {
    await owner.setFields(form, [{ name: 'essay', label: 'Essay' }]);
    const path = `/inbox/${form.identifier}/${await service().submit(form, { name: 'Jane', essay: LONG })}`;
    expect(linksOf((await browser.get(path)).text)).toEqual([`${path}/value?at=2`]);
  });

  it('leaves room for no more than a quarter of a million characters of all', async () => {
    const essays = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`essay${n}`, 'a'.repeat(20_000)]));
    const path = `/inbox/${form.identifier}/${await service().submit(form, essays)}`;
    const { text: page } = await browser.get(path);
    const shown = Array.from(page.matchAll(/a{100,}/g), ([text]) => text.length);
    expect(shown.filter((length) => length > 1_000).reduce((sum, length) => sum + length, 0)).toBe(250_000);
    expect(linksOf(page)).toHaveLength(8);
  });

  it('is part of the look of a client that its page was', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    const kim = new Browser(service());
    const standing = { clientId: client, actions: ['see' as const] };
    await kim.signIn((await service().makePerson(owner, standing)).email);
    const path = `/inbox/${form.identifier}/${await service().submit(form, { essay: LONG })}`;
    const [link = ''] = linksOf((await kim.get(path)).text);
    await kim.get(link);
    const looks = async () => (await owner.read('/api/v1/audit?action=submission.viewed')).entries.length;
    expect(await looks()).toBe(1);
    await kim.get(`${path}/value?at=1`);
    expect(await looks()).toBe(2);
  });
});
