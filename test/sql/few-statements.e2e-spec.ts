import { makeForms } from '../support/crowd.js';
import { Browser } from '../support/people.js';
import { ReadCounter } from '../support/reads.js';
import { useService } from '../support/service.js';

/** Forms of two accounts: of the larger, more than one piece of its inbox. */
const FEW = 3;
const MANY = 45;
/** Forms of a third one: so many that they are asked as a whole. */
const CROWD = 230;
/** Statements more that are asked of it: which page of its forms is told of, and how many there are. */
const OF_CROWD = 2;
/** Statements more that the inbox of the larger account may take: pieces that its first page and its count are found in. */
const PIECES = 4;

/** Statements of the page of a submission, beside the session, the frame with what is wrong, and the look. */
const PAGE_MAX = 17;
const AROUND = 10;
/** Statements that find its neighbours in a list. */
const NEIGHBOURS_MAX = 6;

const service = useService({ WORKERS: 'off' });

it('The list of forms and what few fit ask as little of the database however many forms there are, and the inbox nearly so', async () => {
  const counter = new ReadCounter(service());
  const [few, many] = [await walk(counter, FEW), await walk(counter, MANY)];

  expect(many.forms).toBe(few.forms);
  expect(many.unread).toBe(few.unread);
  expect(many.filtered).toEqual(few.filtered);
  expect(many.person).toBe(few.person);
  expect(many.inbox).toBeLessThanOrEqual(few.inbox + PIECES);
});

it('Charts of a client with many forms and what is unread of them ask as little as those of a few, and so does the inbox', async () => {
  const counter = new ReadCounter(service());
  const [few, crowd] = [await walk(counter, FEW), await walk(counter, CROWD)];

  expect(crowd.charts).toEqual(few.charts);
  expect(crowd.unread).toBeLessThanOrEqual(few.unread + OF_CROWD);
  expect(crowd.inbox).toBeLessThanOrEqual(few.inbox + PIECES);
});

it('The page of a submission takes few statements', async () => {
  const counter = new ReadCounter(service());
  const owner = await service().openAccount();
  const [form] = (await makeForms(service(), owner, FEW)).forms.slice(-1);
  for (let n = 0; form && n < 3; n++) await service().submit(form, { email: 'one@example.com', n });
  const browser = await service().makeBrowser(owner);
  const list = await owner.get(`/api/v1/forms/${form?.identifier}/submissions`);
  const [, middle] = list.body.submissions;
  const path = `/inbox/${form?.identifier}/${middle?.id}`;
  const asked = async (address: string) => {
    await browser.get(address);
    const reads = await counter.during(async () => {
      expect((await browser.get(address)).text).toContain('one@example.com');
    });
    return reads.length;
  };

  const alone = await asked(path);
  expect(alone).toBeLessThanOrEqual(PAGE_MAX + AROUND);
  expect(await asked(`${path}?q=is:new`)).toBeLessThanOrEqual(alone + NEIGHBOURS_MAX);
});

/** Returns how many statements each request takes, in an account of so many forms. */
async function walk(counter: ReadCounter, count: number) {
  const owner = await service().openAccount();
  const { forms } = await makeForms(service(), owner, count);
  const [last] = forms.slice(-1);
  if (last) await service().submit(last, { email: 'one@example.com' });
  const client = await owner.makeClient({ form_ids: forms.map(({ id }) => id) });
  const jane = service().as(await owner.makeClientToken(client));
  const { email } = await service().makePerson(owner);
  const browser = await Browser.of(service(), email);
  const during = async (path: string, shown = forms.at(-1)?.identifier, caller = owner) => {
    const ask = () => (path.startsWith('/api') ? caller.get(path) : browser.get(path));
    await ask();
    const tries: number[] = [];
    // What is known for a second may end while a slow machine answers: the least of several counts.
    for (let n = 0; n < 3; n++) {
      const reads = await counter.during(async () => {
        expect((await ask()).text).toContain(shown);
      });
      tries.push(reads.length);
    }
    return Math.min(...tries);
  };
  const filtered: number[] = [];
  for (const q of ['email:nobody@example.com', 'tag:urgent', 'is:held', 'has:file', 'is:failed']) {
    filtered.push(await during(`/api/v1/submissions?q=${q}`, '"submissions":[]'));
  }
  const charts: number[] = [];
  for (const path of ['/statistics', '/statistics/pages']) {
    charts.push(await during(`/api/v1${path}`, '"from"', jane));
  }
  return {
    filtered,
    charts,
    forms: await during('/forms', forms[0]?.identifier),
    inbox: await during('/inbox', last?.identifier),
    person: await during('/visitors/one@example.com', last?.identifier),
    unread: await during('/api/v1/unread', forms[0]?.identifier),
  };
}
