import { refusal } from '../support/refusal.js';
import { useService, type FormBody, type Caller } from '../support/service.js';
import { pathOf, type SubmissionListBody } from '../support/submissions.js';

/** Read only by the tests of this file; 23 of them spam. */
const COUNT = 250;

const service = useService();
let owner: Caller;
let form: FormBody;
/** Newest first, as the list is to be. */
const ids: string[] = [];
const spam = new Set<string>();
beforeAll(async () => {
  owner = await service().openAccount();
  form = await owner.makeForm();
  for (let n = 1; n <= COUNT; n++) {
    const send = n % 11 === 0 ? 'submitSpam' : 'submit';
    const id = await service()[send](form, { n: String(n), word: n % 2 ? 'odd' : 'even' });
    ids.unshift(id);
    if (n % 11 === 0) spam.add(id);
  }
});

const idsOf = ({ submissions }: SubmissionListBody) => submissions.map(({ id }) => id);
const inbox = () => ids.filter((id) => !spam.has(id));

/** Follows a link as it was given. */
async function follow(link: string): Promise<SubmissionListBody> {
  const { pathname, search } = new URL(link);
  return await owner.read(pathname + search);
}

/** The pages from one on, by following `way`. */
async function pagesFrom(first: SubmissionListBody, way: 'next_page' | 'previous_page') {
  const pages = [first];
  for (let page = first; page[way] !== null;) pages.push((page = await follow(page[way])));
  return pages;
}

describe('Pages of submissions', () => {
  it('have 100 entries unless fewer are asked for', async () => {
    expect(await owner.list(form)).toMatchObject({ items: 100, count: inbox().length });
    expect(idsOf(await owner.list(form))).toEqual(inbox().slice(0, 100));
    expect(idsOf(await owner.list(form, 'per_page=7'))).toEqual(inbox().slice(0, 7));
    for (const per of ['101', '0', '-1', 'x']) {
      await owner.get(`${pathOf(form)}?per_page=${per}`).expect(refusal(422, 'invalid_fields', 'per_page'));
    }
  });

  it.each([
    ['', inbox],
    ['per_page=7', inbox],
    ['per_page=10&spam=all', () => ids],
    ['per_page=5&spam=true', () => ids.filter((id) => spam.has(id))],
    ['per_page=100&spam=all&trash=all', () => ids],
    ['per_page=13&query=odd', () => inbox().filter((id) => (COUNT - ids.indexOf(id)) % 2)],
  ])('of %j give every entry once on the way to the end, and back', async (query, expected) => {
    const there = await pagesFrom(await owner.list(form, query), 'next_page');
    const last = there.at(-1);
    const back = await pagesFrom(last ?? (await owner.list(form)), 'previous_page');

    expect(there.flatMap(idsOf)).toEqual(expected());
    expect(back.reverse().map(idsOf)).toEqual(there.map(idsOf));
    expect(there.map(({ next_page_number: next }) => next)).toEqual([
      ...there.slice(1).map((_, index) => index + 2),
      null,
    ]);
    expect(there.map(({ prev_page_number: previous }) => previous)).toEqual([
      null,
      ...there.slice(1).map((_, index) => index + 1),
    ]);
    for (const page of there) {
      expect(page.prev_page).toBe(page.previous_page);
      expect(page.count).toBe(expected().length);
    }
  });

  it('follow the id of a submission in capitals too', async () => {
    const [first = ''] = idsOf(await owner.list(form, 'per_page=7'));
    for (const way of ['before', 'after']) {
      const ask = (id: string) => owner.list(form, `per_page=7&${way}=${id}`);
      expect(idsOf(await ask(first.toUpperCase()))).toEqual(idsOf(await ask(first)));
    }
    expect(idsOf(await owner.list(form, `before=${first.toUpperCase()}`))).not.toContain(first);
  });

  it.each(['per_page=7', 'per_page=10&spam=all', 'per_page=6&spam=all&trash=all&query=even'])(
    'of %j are the same by number alone',
    async (query) => {
      const pages = await pagesFrom(await owner.list(form, query), 'next_page');
      for (const [index, page] of pages.entries()) {
        const { submissions, ...rest } = await owner.list(form, `${query}&page=${index + 1}`);
        const { submissions: linked, ...links } = page;
        expect(submissions).toEqual(linked);
        expect(rest).toEqual(links);
      }
    },
  );

  it('keep the filters in every link, and change nothing but page and position', async () => {
    const query = 'per_page=7&spam=all&trash=false&from=2020-01-01&to=2999-01-01&query=odd';
    const page = await owner.list(form, `${query}&page=2`);

    for (const link of [page.next_page, page.previous_page, page.first_url, page.last_url]) {
      expect(link).toMatch(`${service().config.baseUrl}${pathOf(form)}?${query}&page=`);
    }
    expect(page.first_url).toMatch(/&page=1$/);
    expect(page.last_url).toMatch(/&page=18$/);
    expect(idsOf(await follow(page.last_url))).toHaveLength(125 - 17 * 7);
  });

  it('are empty beyond the end, and lead back to the last', async () => {
    const last = await owner.list(form, 'page=3');
    for (const beyond of ['page=4', 'page=9999999']) {
      const page = await owner.list(form, beyond);
      expect(page).toMatchObject({ submissions: [], next_page: null, count: inbox().length });
      expect(idsOf(await follow(page.previous_page ?? ''))).toEqual(idsOf(last));
    }
  });

  it('stay where they were while newer submissions arrive', async () => {
    const other = await owner.makeForm();
    for (let n = 0; n < 6; n++) await service().submit(other, { n });
    const first = await owner.list(other, 'per_page=2');
    await service().submit(other, { n: 'new' });

    const second = await follow(first.next_page ?? '');

    expect(second.submissions.map(({ values }) => values.n)).toEqual([3, 2]);
  });
});
