import { expect, it } from '@jest/globals';
import { makeForms } from './support/crowd.js';
import { Browser, makePerson } from './support/people.js';
import { ReadCounter } from './support/reads.js';
import { useService } from './support/service.js';

/** Forms of two accounts: of the larger, more than one piece of its inbox. */
const FEW = 3;
const MANY = 45;
/** Statements more that the inbox of the larger account may take: pieces that its first page and its count are found in. */
const PIECES = 4;

const service = useService({ WORKERS: 'off' });

it('The list of forms and what few fit ask as little of the database however many forms there are, and the inbox nearly so', async () => {
  const counter = new ReadCounter(service());
  const [few, many] = [await walk(counter, FEW), await walk(counter, MANY)];

  expect(many.forms).toBe(few.forms);
  expect(many.unread).toBe(few.unread);
  expect(many.filtered).toEqual(few.filtered);
  expect(many.inbox).toBeLessThanOrEqual(few.inbox + PIECES);
});

/** Returns how many statements each request takes, in an account of so many forms. */
async function walk(counter: ReadCounter, count: number) {
  const owner = await service().openAccount();
  const { forms } = await makeForms(service(), owner, count);
  const { email } = await makePerson(service(), owner);
  const browser = new Browser(service());
  await browser.signIn(email);
  const during = async (path: string, shown = forms.at(-1)?.identifier) => {
    const ask = () => (path.startsWith('/api') ? owner.get(path) : browser.get(path));
    await ask();
    const reads = await counter.during(async () => {
      const { text } = await ask();
      expect(text).toContain(shown);
    });
    return reads.length;
  };
  const filtered: number[] = [];
  for (const q of ['email:nobody@example.com', 'tag:urgent', 'is:held', 'has:file']) {
    filtered.push(await during(`/api/v1/submissions?q=${q}`, '"submissions":[]'));
  }
  return {
    filtered,
    forms: await during('/forms'),
    inbox: await during('/inbox'),
    unread: await during('/api/v1/unread'),
  };
}
