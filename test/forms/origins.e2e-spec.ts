import type { Schemas } from '../../build/api.js';
import { DAY_MS, useStoppedClock } from '../support/clock.js';
import { hiddenOf, textOf } from '../support/page.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';

const SHOP = 'https://shop.example.com';
const BLOG = 'https://blog.example.com:8443';

const service = useService({ WORKERS: 'off' });
const clock = useStoppedClock();
const owner = useOwner(service);
const jane = useSignedIn(service, owner);

type OriginBody = Schemas['OriginDto'];

const path = ({ identifier }: FormBody) => `/api/v1/forms/${identifier}/origins` as const;

const originsOf = async (form: FormBody): Promise<OriginBody[]> => (await owner.read(path(form))).origins;

const sendFrom = (form: FormBody, origin: string | null, values: object = { message: 'x' }) =>
  service().submit(form, values, origin === null ? {} : { Origin: origin });

const domainsOf = async ({ identifier }: FormBody): Promise<unknown> =>
  (await owner.read(`/api/v1/forms/${identifier}`)).whitelisted_domains;

describe('The origins of a form', () => {
  it('are those that its submissions came from, spam too, the latest first', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'shop.example.com' });
    expect(await originsOf(form)).toEqual([]);
    for (const origin of [SHOP, BLOG, SHOP, null]) {
      await sendFrom(form, origin);
      clock.forward(60_000);
    }

    expect(await originsOf(form)).toMatchObject([
      { origin: null, domain: null, allowed: false, submissions: 1 },
      { origin: SHOP, domain: 'shop.example.com', allowed: true, submissions: 2 },
      { origin: BLOG, domain: 'blog.example.com', allowed: false, submissions: 1 },
    ]);
  });

  it('are all allowed where every domain is, an unknown one too', async () => {
    const form = await owner.makeForm();
    await sendFrom(form, BLOG);
    await sendFrom(form, null);

    expect((await originsOf(form)).map(({ allowed }) => allowed)).toEqual([true, true]);
  });

  it('are judged by the domains that are allowed now, not by those of then', async () => {
    const form = await owner.makeForm();
    await sendFrom(form, BLOG);
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { whitelisted_domains: 'example.com' } }).expect(200);

    expect(await originsOf(form)).toMatchObject([{ origin: BLOG, allowed: false }]);
  });

  it('are not those of the trash, nor of more than thirty days ago', async () => {
    const form = await owner.makeForm();
    const id = await sendFrom(form, BLOG);
    const submission = `/api/v1/forms/${form.identifier}/submissions/${id}` as const;
    await sendFrom(form, SHOP);
    await owner.patch(submission, { submission: { trash: true } }).expect(200);
    expect((await originsOf(form)).map(({ origin }) => origin)).toEqual([SHOP]);

    clock.forward(30 * DAY_MS + 1_000);
    expect(await originsOf(form)).toEqual([]);
  });

  it('are not hidden by spam of others, however much there is', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'shop.example.com' });
    await sendFrom(form, SHOP);
    for (let count = 0; count < 210; count++) await sendFrom(form, BLOG);

    expect(await originsOf(form)).toMatchObject([
      { origin: BLOG, submissions: 200 },
      { origin: SHOP, submissions: 1 },
    ]);
  });
});

describe('Allowing a domain', () => {
  it('adds it to the others once, and what comes from there is no spam any more', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'a.test' });
    for (const domain of ['Blog.example.com ', 'blog.example.com']) {
      await owner.post(path(form), { domain }).expect(200);
    }

    expect(await domainsOf(form)).toBe('a.test,blog.example.com');
    await sendFrom(form, BLOG);
    expect(await originsOf(form)).toMatchObject([{ origin: BLOG, allowed: true }]);
    expect((await owner.read(`/api/v1/forms/${form.identifier}`)).submission_count).toBe(1);
  });

  it('loses none when two are allowed at once', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'a.test' });
    const domains = ['b.test', 'c.test', 'd.test'];
    await Promise.all(domains.map((domain) => owner.post(path(form), { domain }).expect(200)));

    expect(
      String(await domainsOf(form))
        .split(',')
        .sort(),
    ).toEqual(['a.test', ...domains]);
  });

  it('changes nothing where every domain is allowed', async () => {
    const form = await owner.makeForm();
    await owner.post(path(form), { domain: 'b.test' }).expect(200);

    expect(await domainsOf(form)).toBeNull();
  });

  it('is refused for what is no domain, or when the list is full', async () => {
    const full = Array.from({ length: 31 }, (_, index) => `${index}.`.padEnd(63, 'x')).join(',');
    const form = await owner.makeForm({ whitelisted_domains: full });

    for (const domain of ['not a host', 'a.test,b.test', '', null]) {
      await owner.post(path(form), { domain }).expect(422);
    }
    const long = `${'y'.repeat(60)}.test`;
    await owner.post(path(form), { domain: long }).expect(refusal(409, 'domain_list_full'));
    expect(await domainsOf(form)).toBe(full);
  });
});

describe('The page of allowed domains', () => {
  it('shows where submissions came from, and allows what is refused by one button', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'shop.example.com' });
    for (const origin of [SHOP, BLOG, null]) await sendFrom(form, origin);
    const page = `/forms/${form.identifier}/spam`;
    const before = (await jane.get(page)).text;
    expect(textOf(before, 'th')).toEqual(expect.arrayContaining([SHOP, BLOG]));
    expect(before.match(/Allow /g)).toHaveLength(1);
    expect(before).toContain('Allow blog.example.com');

    const { domain = '' } = hiddenOf(before);
    const sent = await jane.post(`/forms/${form.identifier}/spam/origins`, { domain });
    expect(sent.headers.location).toBe(`${page}#origins`);

    expect(await domainsOf(form)).toBe('shop.example.com,blog.example.com');
    expect((await jane.get(page)).text).not.toContain('Allow blog');
  });

  it('is where the warning about refused origins leads, until they are allowed', async () => {
    const form = await owner.makeForm({ whitelisted_domains: 'shop.example.com' });
    await sendFrom(form, BLOG);
    const page = `/forms/${form.identifier}`;
    expect((await jane.get(page)).text).toContain(`href="${page}/spam#origins"`);

    await owner.post(path(form), { domain: 'blog.example.com' }).expect(200);
    expect((await jane.get(page)).text).not.toContain('#origins');
  });
});
