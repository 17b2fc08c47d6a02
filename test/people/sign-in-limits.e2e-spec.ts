import { Browser, PASSWORD } from '../support/people.js';
import { send, type Answer } from '../support/submit.js';
import { useService, useOwner } from '../support/service.js';
import { useWindows } from '../support/clock.js';

/** Tries of one network for one person in a minute; a network has three times, a person six times as many. */
const TRIES = 4;
/** Requests of one session in a minute. */
const PAGES = 20;
const service = useService({ RATE_LIMIT_SIGN_IN: String(TRIES), RATE_LIMIT_SESSION: String(PAGES), TRUST_PROXY: '1' });
const clock = useWindows();
const owner = useOwner(service);

let networks = 0;
/** A network that nobody was seen at so far. */
const elsewhere = () => `2001:db8:0:${(++networks).toString(16)}::1`;

let strangers = 0;
const unknownEmail = () => `unknown${++strangers}@example.org`;

const tryAt = (network: string, email: string, password = 'a wrong password'): Promise<Answer> =>
  send(`${service().url}/sign-in`, {
    type: 'application/x-www-form-urlencoded',
    body: new URLSearchParams({ email, password }).toString(),
    headers: { 'Sec-Fetch-Site': 'same-origin', 'X-Forwarded-For': network },
  });

async function statusesOf(count: number, attempt: () => Promise<Answer>): Promise<number[]> {
  const found = [];
  for (let n = 0; n < count; n++) found.push((await attempt()).status);
  return found;
}

const times = (count: number, status: number) => Array<number>(count).fill(status);

describe('Whoever tries to sign in again and again', () => {
  it.each(['known', 'unknown'])('has to wait: for a person that is %s', async (which) => {
    const person = await service().makePerson(owner);
    const email = which === 'known' ? person.email : unknownEmail();
    const network = elsewhere();

    expect(await statusesOf(TRIES, () => tryAt(network, email))).toEqual(times(TRIES, 422));
    const refused = await tryAt(network, email, PASSWORD);

    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('Too many attempts to sign in');
    clock.nextWindow();
    expect((await tryAt(network, email)).status).toBe(422);
  });

  it('keeps nobody else out: not the person elsewhere, nor others of the network', async () => {
    const person = await service().makePerson(owner);
    const neighbour = await service().makePerson(owner);
    const network = elsewhere();
    await statusesOf(TRIES + 1, () => tryAt(network, person.email));

    expect((await tryAt(elsewhere(), person.email, PASSWORD)).status).toBe(303);
    expect((await tryAt(network, neighbour.email, PASSWORD)).status).toBe(303);
  });

  it('may not do so with one password for many people', async () => {
    const network = elsewhere();
    const inAll = 3 * TRIES;
    const answers = await statusesOf(inAll + 1, () => tryAt(network, unknownEmail()));
    expect(answers).toEqual([...times(inAll, 422), 429]);
  });

  it('may not do so from everywhere, and does not lock the person out of where they were', async () => {
    const person = await service().makePerson(owner);
    const home = elsewhere();
    expect((await tryAt(home, person.email, PASSWORD)).status).toBe(303);
    clock.nextWindow();
    const inAll = 6 * TRIES;

    const answers = await statusesOf(inAll + 1, () => tryAt(elsewhere(), person.email));

    expect(answers).toEqual([...times(inAll, 422), 429]);
    expect((await tryAt(home, person.email, PASSWORD)).status).toBe(303);
    clock.nextWindow();
    expect((await tryAt(elsewhere(), person.email, PASSWORD)).status).toBe(303);
  });
});

describe('Whoever has the session of somebody else', () => {
  it('guesses the password as little as at sign-in, and is on record', async () => {
    const person = await service().makePerson(owner);
    const browser = await Browser.of(service(), person.email);
    clock.nextWindow();
    const guess = { current: 'a wrong password', password: 'nine brave turnips under bridges' };

    const answers: number[] = [];
    for (let n = 0; n <= TRIES; n++) {
      answers.push((await browser.post('/account/password', guess)).status);
    }

    expect(answers).toEqual([...times(TRIES, 422), 429]);
    const { body } = await owner.get('/api/v1/audit?action=person.proof_refused').expect(200);
    expect(body.entries).toHaveLength(TRIES);
  });

  it('opens so many pages a minute, and keeps nobody else from theirs', async () => {
    const person = await service().makePerson(owner);
    const [browser, other] = [new Browser(service()), new Browser(service())];
    await browser.signIn(person.email);
    await other.signIn(person.email);
    clock.nextWindow();

    const answers: number[] = [];
    for (let n = 0; n <= PAGES; n++) answers.push((await browser.get('/account')).status);

    expect(answers).toEqual([...times(PAGES, 200), 429]);
    expect((await other.get('/account')).status).toBe(200);
    clock.nextWindow();
    expect((await browser.get('/account')).status).toBe(200);
  });
});
