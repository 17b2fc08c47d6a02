import { attack, honest, KINDS, PROTECTED, type Post } from '../../bench/spam/attack.js';
import { useClock } from '../support/clock.js';
import { useService } from '../support/service.js';
import { Inbox, send, urlencoded } from '../support/submit.js';

const BOT_POSTS = 1_000;
const HONEST = 100;
/** Machines of the bot. */
const MACHINES = 20;

const service = useService({ WORKERS: 'off', TRUST_PROXY: '1' });
const clock = useClock();

/** Sends a post as its browser would, with a token that is as old as it says. */
async function sendAs(inbox: Inbox, post: Post, address: string): Promise<string> {
  const { origin, userAgent, acceptLanguage, waitMs, values } = post;
  let token: string | null = null;
  if (waitMs !== null) {
    const { body } = await send(`${inbox.url}/token`, { method: 'GET', headers: { 'X-Forwarded-For': address } });
    token = String(body.token);
    clock.forward(waitMs);
  }
  const pairs = Object.entries(values).map(([name, value]) => [name, value] as const);
  return inbox.accept({
    ...urlencoded(token === null ? pairs : [...pairs, ['_token', token]]),
    headers: {
      'User-Agent': userAgent,
      'X-Forwarded-For': address,
      // fetch sends a language of its own.
      'Accept-Language': acceptLanguage ?? '',
      ...(origin !== null && { Origin: origin }),
    },
  });
}

it('A bot that sends 1,000 posts of ten kinds while 100 people write keeps none of the people from being heard, and gets little through of nine kinds', async () => {
  clock.stop();
  const inbox = await Inbox.open(service(), { whitelisted_domains: PROTECTED.whitelistedDomains });
  const path = `/api/v1/forms/${inbox.form.identifier}` as const;
  await inbox.owner.put(`${path}/spam`, { spam: { honeypots: PROTECTED.honeypots } }).expect(200);
  const lists = { block: PROTECTED.block.join('\n') };
  await inbox.owner.put(`${path}/spam/lists`, { lists }).expect(200);

  const people: string[] = [];
  const kinds = new Map<string, string>();
  for (let n = 0; n < BOT_POSTS; n++) {
    const { kind, ...post } = attack(n);
    kinds.set(await sendAs(inbox, post, `198.51.100.${n % MACHINES}`), kind);
    if (n % (BOT_POSTS / HONEST) === 0) {
      const who = people.length;
      people.push(await sendAs(inbox, honest(who), `203.0.113.${who}`));
    }
  }

  const bands = new Map<string, string>();
  for (const [band, q] of [
    ['clean', ''],
    ['spam', 'is:spam'],
    ['held', 'is:held'],
  ] as const) {
    for (const id of await idsOf(inbox, q)) bands.set(id, band);
  }
  expect(bands.size).toBe(BOT_POSTS + HONEST);
  expect(people.filter((id) => bands.get(id) !== 'clean')).toEqual([]);

  const passed = (kind: string) => [...kinds].filter(([id, each]) => each === kind && bands.get(id) === 'clean').length;
  const [patient = '', ...others] = Object.keys(KINDS).reverse();
  const through = Object.fromEntries(others.map((kind) => [kind, passed(kind)]));
  // The last kind does all that people do: only a captcha, marks or a proof of work help against it.
  expect(passed(patient)).toBeGreaterThan(0);
  for (const [kind, count] of Object.entries(through)) {
    expect([kind, count <= BOT_POSTS / 100]).toEqual([kind, true]);
  }
});

/** Returns the ids of all submissions that a filter means. */
async function idsOf(inbox: Inbox, q: string): Promise<string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page++) {
    const query = `q=${encodeURIComponent(q)}&page=${page}&per_page=100`;
    const { submissions } = await inbox.owner.list(inbox.form, query);
    ids.push(...submissions.map(({ id }) => id));
    if (submissions.length < 100) return ids;
  }
}
