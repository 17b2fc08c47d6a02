import request from 'supertest';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const service = useService({ STORE_IP: 'full' });
const owner = useOwner(service);
const form = useForm(owner);

const messages = ({ submissions }: SubmissionListBody) => submissions.map(({ values }) => values.m);

describe('The list of submissions', () => {
  it('has exactly the documented envelope and entries', async () => {
    const base = `${service().config.baseUrl}/api/v1/forms/${form.identifier}`;
    const id = await service().submitFile(form, 'bytes');

    const { body, headers } = await owner.get(pathOf(form)).expect(200);

    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      submissions: [
        {
          id: expect.stringMatching(UUID),
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          values: { email: 'jane@example.com' },
          url: `${base}/submissions/${id}`,
          form_url: base,
          trash: false,
          spam: false,
          spam_reason: null,
          files: [
            {
              id: expect.stringMatching(/^[0-9a-f-]{36}$/),
              field: 'cv',
              name: 'cv.pdf',
              type: 'application/pdf',
              size: 5,
              sha256: '277089d91c0bdf4f2e6862ba7e4a07605119431f5d13f726dd352b06f1b206a9',
              url: expect.stringMatching(`^${base}/submissions/${id}/files/[0-9a-f-]{36}$`),
            },
          ],
          origin: null,
        },
      ],
      held: [],
      previous_page: null,
      prev_page: null,
      next_page: null,
      next_page_number: null,
      prev_page_number: null,
      first_url: `${base}/submissions?page=1`,
      last_url: `${base}/submissions?page=1`,
      items: 100,
      count: 1,
    });
  });

  it('is empty for a form without submissions', async () => {
    await service().submit(await owner.makeForm(), { m: 'of another form' });

    expect(await owner.list(form)).toMatchObject({ submissions: [], count: 0, next_page: null });
  });

  it('answers a POST, with and without a body, and a trailing slash alike', async () => {
    await service().submit(form, { m: 'hello' });
    const { text } = await owner.get(pathOf(form)).expect(200);

    for (const call of [
      owner.post(pathOf(form)),
      owner.post(pathOf(form), { ignored: true }),
      owner.post(`${pathOf(form)}/`),
      owner.get(`${pathOf(form)}/`),
    ]) {
      expect((await call.expect(200)).text).toBe(text);
    }
  });

  it('keeps the order of fields, repeated ones as a list, and every digit of a number', async () => {
    await service().submitPairs(form, [
      ['b', '1'],
      ['10', 'x'],
      ['a', ''],
      ['9', 'y'],
      ['b', '2'],
    ]);
    const big = '{"n":12345678901234567890.10,"deep":{"z":[1,{"y":null}],"2":0,"1":0}}';
    await request(service().url)
      .post(`/f/${form.identifier}`)
      .set('Content-Type', 'application/json')
      .send(big)
      .expect(200);

    const { text } = await owner.get(pathOf(form)).expect(200);

    expect(text).toContain('"values":{"b":["1","2"],"10":"x","a":"","9":"y"}');
    expect(text).toContain(`"values":${big}`);
  });
});

describe('Choosing submissions', () => {
  const inbox = (query: string) => owner.list(form, query).then(messages);

  it('leaves spam and trash out unless they are asked for', async () => {
    for (const m of ['plain', 'trashed']) await service().submit(form, { m });
    for (const m of ['spam', 'both']) await service().submitSpam(form, { m });
    for (const { id, values } of (await owner.list(form, 'spam=all')).submissions) {
      if (values.m !== 'trashed' && values.m !== 'both') continue;
      await owner.patch(`${pathOf(form)}/${id}`, { submission: { trash: true } }).expect(200);
    }

    for (const [query, found] of [
      ['', ['plain']],
      ['spam=false&trash=false', ['plain']],
      ['spam=true', ['spam']],
      ['spam=all', ['spam', 'plain']],
      ['trash=true', ['trashed']],
      ['trash=all', ['trashed', 'plain']],
      ['spam=true&trash=true', ['both']],
      ['spam=all&trash=true', ['both', 'trashed']],
      ['spam=true&trash=all', ['both', 'spam']],
      ['spam=all&trash=all', ['both', 'spam', 'trashed', 'plain']],
    ] as const) {
      const list = await owner.list(form, query);
      expect({ query, found: messages(list), count: list.count }).toEqual({ query, found, count: found.length });
    }
  });

  it('takes those from a moment on, and those before another', async () => {
    for (const m of ['first', 'second', 'third']) {
      await service().submit(form, { m });
      const started = Date.now();
      while (Date.now() === started); // the clock has to move between them
    }
    const [third, second, first] = (await owner.list(form)).submissions;
    const { created_at: at = '' } = second ?? {};

    expect(await inbox(`from=${at}`)).toEqual(['third', 'second']);
    expect(await inbox(`to=${at}`)).toEqual(['first']);
    expect(await owner.list(form, `spam=all&to=${at}`)).toMatchObject({ count: 1 });
    expect(await inbox(`from=${first?.created_at}&to=${third?.created_at}`)).toEqual(['second', 'first']);
    expect(await inbox('from=2000-01-01&to=2000-01-02')).toEqual([]);
    expect(await inbox('to=2999-01-01')).toHaveLength(3);
    expect(await inbox('from=1900-01-01&to=9999-12-31')).toHaveLength(3);
    expect(await inbox('from=2999-01-01T00:00:00%2B05:30')).toEqual([]);
  });

  it.each([
    'spam=maybe',
    'trash=1',
    'from=yesterday',
    'from=2030',
    'from=2030-W05-1',
    'from=2030-01-31T12:00:00',
    'to=2030-02-30',
    'to=9999-12-31T23:59:59-12:00',
    `query=${'x'.repeat(256)}`,
    'before=x',
    'after=1',
    'page=0',
    'page=x',
  ])('refuses %s and names the parameter', async (query) => {
    const [parameter = ''] = query.split('=');
    await owner.get(`${pathOf(form)}?${query}`).expect(refusal(422, 'invalid_fields', parameter));
  });
});

describe('One submission', () => {
  it('is shown as the list shows it', async () => {
    const id = await service().submit(form, { m: 'hello' });
    const { submissions } = await owner.list(form);

    expect(await owner.read(`${pathOf(form)}/${id}`)).toEqual(submissions[0]);
  });

  it('tells on request where it came from, and not otherwise', async () => {
    await request(service().url)
      .post(`/f/${form.identifier}`)
      .set({ Origin: 'https://shop.example', Referer: 'https://shop.example/contact?a=1' })
      .set('User-Agent', 'Browser/1')
      .send({ m: 'hello' })
      .expect(200);
    const [submission] = (await owner.list(form)).submissions;

    const { body } = await owner.get(`${pathOf(form)}/${submission?.id}/source`).expect(200);

    expect(submission?.origin).toBe('https://shop.example');
    expect(body).toEqual({
      origin: 'https://shop.example',
      referer: 'https://shop.example/contact?a=1',
      user_agent: 'Browser/1',
      address: '127.0.0.1',
      country: null,
      language: null,
      subject: null,
    });
  });
});
