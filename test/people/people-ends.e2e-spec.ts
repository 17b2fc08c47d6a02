import { Session } from '../../src/people/sessions/session.entity.js';
import { DAY_MS, HOUR_MS, SECOND_MS, useClock } from '../support/clock.js';
import { elementsOf } from '../support/page.js';
import { Browser, PASSWORD } from '../support/people.js';
import { useService, useOwner } from '../support/service.js';
import { until } from '../support/until.js';

const service = useService();
const clock = useClock();
let browser: Browser;
const owner = useOwner(service);
beforeEach(() => {
  browser = new Browser(service());
});

describe('An invitation', () => {
  const invite = async (email: string) => {
    const person = { email, name: 'Jane', role: 'viewer', send: false };
    return (await owner.create('/api/v1/people', { person })).link?.replace(/^.*#/, '') ?? '';
  };
  const listed = async () => (await owner.read('/api/v1/invitations')).invitations.length;
  const accept = (invitation: string) =>
    browser.post('/invitation/accept', { invitation, name: 'Jane', password: PASSWORD });

  it('is good for a week', async () => {
    const invitation = await invite('in-time@example.com');
    clock.forward(7 * DAY_MS - 10 * SECOND_MS);
    expect(await listed()).toBe(1);
    expect((await accept(invitation)).status).toBe(303);
  });

  it('is good for nothing after that, and no longer listed', async () => {
    const invitation = await invite('late@example.com');
    clock.forward(7 * DAY_MS + SECOND_MS);
    expect(await listed()).toBe(0);
    expect((await browser.post('/invitation', { invitation })).status).toBe(404);
    expect((await accept(invitation)).status).toBe(404);

    const { email } = await service().makePerson(await service().openAccount());
    const known = await invite(email);
    await browser.signIn(email);
    clock.forward(7 * DAY_MS + SECOND_MS);
    await browser.signIn(email);
    expect((await accept(known)).status).toBe(404);
    expect((await owner.get('/api/v1/people').expect(200)).body).toEqual({ people: [] });
  });
});

it.each([
  [HOUR_MS - 10 * SECOND_MS, 303],
  [HOUR_MS + SECOND_MS, 404],
])('A setup code that the operator asked for is answered after %i ms with %i', async (ms, status) => {
  const code = await service().setupCodeOf(owner);
  clock.forward(ms);
  const fields = { code, email: `after${ms}@example.com`, name: 'Ada', password: PASSWORD };
  expect((await browser.post('/setup', fields)).status).toBe(status);
});

it('A place in an account that one is kept out of, or has left, cannot be gone to from a page that still shows it', async () => {
  const other = await service().openAccount('Elsewhere');
  const person = await service().makePerson(owner);
  const there = { clientId: null, role: 'viewer' } as const;
  await service().makePerson(other);
  await service().actFor(other, person, there);
  await browser.signIn(person.email);
  const { text } = await browser.get('/account');
  const goOn = elementsOf(text).findLast(
    ({ name, attributes }) => name === 'button' && attributes.name === 'membership',
  );
  const membership = goOn?.attributes.value ?? '';
  const goThere = () => browser.post('/account/switch', { membership });
  const path = `/api/v1/people/${person.id}` as const;

  await other.patch(path, { person: { disabled: true } }).expect(200);
  expect((await goThere()).status).toBe(404);
  await other.patch(path, { person: { disabled: false } }).expect(200);
  expect((await goThere()).status).toBe(303);
  await other.delete(path).expect(200);
  expect((await goThere()).status).not.toBe(200);
});

it('A role is never changed by the person who has it, nor taken back by them', async () => {
  const person = await service().makePerson(owner);
  await service().makePerson(owner);
  await browser.signIn(person.email);
  const page = `/people/${person.id}`;

  for (const [path, fields] of [
    [page, { 'person.role': 'viewer' }],
    [page, { 'person.role': 'owner', 'person.disabled': 'true' }],
    [`${page}/remove`, {}],
  ] as const) {
    const { status, text } = await browser.post(path, fields);
    expect({ path, status }).toEqual({ path, status: 403 });
    expect(text).toContain('You cannot change your own role');
  }

  expect((await browser.get('/account')).text).toContain('Owner');
});

describe('A session', () => {
  /** Opens a page of people who are signed in, and waits until that use is written down. */
  async function use(person: { id: number }): Promise<number> {
    const { status } = await browser.get('/account');
    const now = clock.now().getTime();
    const sessions = service().repository(Session);
    await until(async () => {
      const [session] = await sessions.findBy({ personId: person.id });
      return status !== 200 || now - (session?.lastSeenAt.getTime() ?? 0) < 10 * SECOND_MS;
    });
    return status;
  }

  it.each([
    ['a device of their own', 7 * DAY_MS, 5, '' as const],
    ['a device that others use too', HOUR_MS, 13, 'true' as const],
  ])('ends when it is not used: on %s', async (_, idleMs, __, shared) => {
    const person = await service().makePerson(owner);
    await browser.signIn(person.email, PASSWORD, { shared });
    clock.forward(idleMs - 10 * SECOND_MS);
    expect(await use(person)).toBe(200);
    clock.forward(idleMs + 10 * SECOND_MS);
    expect(await use(person)).toBe(303);
  });

  it.each([
    ['a device of their own', '', 30 * DAY_MS, 6 * DAY_MS],
    ['a device that others use too', 'true', 12 * HOUR_MS, HOUR_MS / 2],
  ])('ends however often it is used: on %s', async (_, shared, absoluteMs, stepMs) => {
    const person = await service().makePerson(owner);
    await browser.signIn(person.email, PASSWORD, { shared });
    for (let ms = stepMs; ms < absoluteMs; ms += stepMs) {
      clock.forward(stepMs);
      expect(await use(person)).toBe(200);
    }
    clock.forward(stepMs + SECOND_MS);
    expect(await use(person)).toBe(303);
  });
});
