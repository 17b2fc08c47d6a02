import { SECOND_MS, useClock } from '../support/clock.js';
import { useService } from '../support/service.js';
import { useMailServer } from '../support/smtp.js';
import { Inbox, json, multipart, named, urlencoded, type Sent } from '../support/submit.js';

const server = useMailServer();
const service = useService(() => ({ WORKERS: 'off', SMTP_URL: server.url }));
const clock = useClock();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service(), {
    notify_owner_emails: 'owner@example.com',
    notify_submitter: true,
    webhook_url: 'https://hooks.example.com/in',
  });
});

const ANN: [string, string][] = [
  ['name', 'Ann'],
  ['email', 'ann@example.com'],
  ['message', 'I clicked twice'],
];
const path = (id: string, more = '') =>
  `/api/v1/forms/${inbox.form.identifier}/submissions/${id}/repeats${more}` as const;
const repeatsOf = async (id: string) => (await inbox.owner.read(path(id))).repeats;
const ids = async () => (await inbox.all()).map(({ id }) => id);
const set = (intake: object) =>
  inbox.owner.put(`/api/v1/forms/${inbox.form.identifier}/intake`, { intake }).expect(200);

describe('What a sender sends twice at once', () => {
  it.each([
    ['urlencoded', urlencoded(ANN)],
    ['JSON', json(ANN)],
    ['multipart with a file', multipart(ANN, [{ field: 'cv', name: 'a.txt', bytes: 'x' }])],
    ['a long text alone', urlencoded([['a', 'Could you call me about the house in Mill Lane?']])],
    ['a number of a telephone', urlencoded([['Phone number', '+49 170 123456']])],
  ])('as %s is stored, answered as a success, and told once', async (_, sent) => {
    const answers = await Promise.all([inbox.submit(sent), inbox.submit(sent)]);
    clock.forward(9 * SECOND_MS);
    answers.push(await inbox.submit(sent));

    expect(answers.map(({ status, body }) => [status, body.success])).toEqual(Array(3).fill([200, true]));
    const [first, ...others] = await ids();
    expect(others).toEqual([]);
    expect(answers.map(({ body }) => body.id)).toEqual(Array(3).fill(first));
    expect(await repeatsOf(String(first))).toHaveLength(2);
    expect(await inbox.count()).toBe(1);
    const deliveries = await inbox.owner.deliveriesOf(inbox.form, String(first));
    const kinds = deliveries.map(({ kind }) => kind);
    expect(new Set(kinds).size).toBe(kinds.length);
    await service().sendDue();
    expect(server.mails.filter(({ to }) => to[0] === 'owner@example.com')).toHaveLength(1);
    server.mails.length = 0;
  });

  it('is a submission of its own once somebody says so, and told then', async () => {
    const sent = multipart(ANN, [{ field: 'cv', name: 'a.txt', bytes: 'a file' }]);
    const first = await inbox.accept(sent);
    await inbox.accept(sent);
    const [repeat] = await repeatsOf(first);
    const own = String(repeat?.id);

    expect(await inbox.owner.create(path(first, `/${own}/separate`))).toMatchObject({
      ...{ id: own, created_at: repeat?.created_at, values: Object.fromEntries(ANN) },
    });
    expect(await ids()).toEqual([own, first]);
    expect(await repeatsOf(first)).toEqual([]);
    expect(await inbox.count()).toBe(2);
    const kinds = (id: string) => inbox.owner.deliveriesOf(inbox.form, id).then((all) => all.map(({ kind }) => kind));
    expect(await kinds(own)).toEqual(await kinds(first));
    const [mine, theirs] = await Promise.all([inbox.read(own), inbox.read(first)]);
    const [file, other] = [mine.submission.files[0], theirs.submission.files[0]];
    expect(file).toMatchObject({ name: 'a.txt', size: 6 });
    expect(file?.id).not.toBe(other?.id);
    await inbox.owner.post(path(first, `/${own}/separate`)).expect(404);
  });

  it('becomes one submission, however often and fast somebody says so', async () => {
    const first = await inbox.accept(urlencoded(ANN));
    await inbox.accept(urlencoded(ANN));
    const [repeat] = await repeatsOf(first);
    const own = path(first, `/${String(repeat?.id)}/separate`);
    const answers = await Promise.all(['', '', ''].map(() => inbox.owner.post(own)));
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(answers.map(({ status }) => status)).toContain(201);
    expect((await ids()).length).toBe(2);
    expect(await inbox.owner.deliveriesOf(inbox.form, String(repeat?.id))).toHaveLength(3);
  });

  it('is erased with the first', async () => {
    const first = await inbox.accept(urlencoded(ANN));
    await inbox.accept(urlencoded(ANN));
    const [repeat] = await repeatsOf(first);
    await inbox.owner.delete(`/api/v1/forms/${inbox.form.identifier}/submissions/${first}`).expect(200);
    await inbox.owner.get(path(first)).expect(404);
    await inbox.owner.post(path(first, `/${String(repeat?.id)}/separate`)).expect(404);
  });

  it('counts towards no limit, and gets the same success from a form that is full by it', async () => {
    await set({ max_submissions: 1 });
    const [one, two] = await Promise.all([inbox.submit(urlencoded(ANN)), inbox.submit(urlencoded(ANN))]);
    expect([one.status, two.status, (await inbox.submit(urlencoded([['a', '1']]))).status]).toEqual([200, 200, 410]);
  });

  it('is stored anew where the first was refused', async () => {
    await set({ paused: true });
    expect((await inbox.submit(urlencoded(ANN))).status).toBe(410);
    await set({ paused: false });
    await inbox.accept(urlencoded(ANN));
    expect(await ids()).toHaveLength(1);
  });

  it('is answered like the first when it is sent again with the key that it had', async () => {
    const keyed = (key: string): Sent => ({ ...urlencoded(ANN), headers: { 'Idempotency-Key': key } });
    const first = await inbox.accept(keyed('1'));
    expect(await inbox.accept(keyed('2'))).toBe(first);
    clock.forward(60 * SECOND_MS);
    expect(await inbox.accept(keyed('2'))).toBe(first);
    expect(await ids()).toEqual([first]);
  });

  it('belongs to the account of its form', async () => {
    const first = await inbox.accept(urlencoded(ANN));
    await inbox.accept(urlencoded(ANN));
    const [repeat] = await repeatsOf(first);
    const stranger = await service().openAccount();
    await stranger.get(path(first)).expect(404);
    await stranger.post(path(first, `/${String(repeat?.id)}/separate`)).expect(404);
  });
});

describe('What is not sent twice', () => {
  const bothStay = async (one: Sent, other: Sent) => {
    await inbox.accept(one);
    await inbox.accept(other);
    expect(await ids()).toHaveLength(2);
    expect(await inbox.count()).toBe(2);
  };
  const sent = urlencoded(ANN);

  it('is what thirty people behind one address send alike', async () => {
    const votes = Array.from({ length: 30 }, () =>
      inbox.accept(named({ lunch: 'yes', class: '7b', day: 'Monday, 1 December' })),
    );
    expect(new Set(await Promise.all(votes)).size).toBe(30);
  });

  it.each<[string, Sent]>([
    ['another browser', { ...sent, headers: { 'User-Agent': 'Another/1.0' } }],
    ['another language', { ...sent, headers: { 'Accept-Language': 'de' } }],
    ['another site', { ...sent, headers: { Origin: 'https://other.example' } }],
    ['one more field', urlencoded([...ANN, ['a', '']])],
    ['another order', urlencoded([...ANN].reverse())],
    ['another text', urlencoded([...ANN.slice(0, 2), ['message', 'I clicked twice.']])],
    ['a file', multipart(ANN, [{ field: 'cv', name: 'a.txt', bytes: 'x' }])],
  ])('is what comes with %s', async (_, other) => {
    await bothStay(sent, other);
  });

  it('is what has names with the quotes and commas of others', async () => {
    const address = ['email', 'ann@example.com'] as const;
    await bothStay(json([address, ['a', '1'], ['b', '2']]), json([address, ['a,"1",b', '2']]));
  });

  it('is what comes later, or to another form', async () => {
    await inbox.accept(sent);
    clock.forward(10 * SECOND_MS);
    await inbox.accept(sent);
    expect(await ids()).toHaveLength(2);
    const other = await Inbox.open(service());
    await other.accept(sent);
    expect(await other.count()).toBe(1);
  });

  it('is anything where the form says so', async () => {
    await set({ merge_repeats: false });
    await bothStay(sent, sent);
  });
});
