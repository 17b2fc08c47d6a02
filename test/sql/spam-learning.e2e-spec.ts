import { IsNull } from 'typeorm';
import { LESSONS_MAX, SpamLessons } from '../../src/spam/learning/spam-lessons.service.js';
import { SpamLesson, SpamModel, SpamWord } from '../../src/spam/learning/spam-model.entity.js';
import { MarkedSubmissions } from '../../src/triage/marks/triage.service.js';
import { WORDS_MAX } from '../../src/spam/learning/words-of.js';
import { refusal } from '../support/refusal.js';
import { useService, useOwner, useForm, type FormBody } from '../support/service.js';
import { pathOf } from '../support/submissions.js';
import { until } from '../support/until.js';

const LEARNING = '/api/v1/account/spam-learning';
const NOTHING = { own: { spam: 0, ham: 0 }, by_clients: { spam: 0, ham: 0 }, needed: 50 };

const service = useService({ WORKERS: 'off' });
const owner = useOwner(service);
const form = useForm(owner);

const learn = () => service().upkeep();
const rowsOf = <Row extends object>(entity: new () => Row) => service().repository(entity);

const marked = (id: string, submission: object, caller = owner, of = form) =>
  caller.patch(`${pathOf(of)}/${id}`, { submission }).expect(200);
const triaged = (id: string, marks: object, caller = owner) =>
  caller.patch(`${pathOf(form)}/${id}/marks`, { marks }).expect(200);

/** Returns the training of the account after all lessons. */
async function learnt(caller = owner): Promise<typeof NOTHING> {
  await learn();
  return (await caller.read(LEARNING)).learning;
}

/** The account of the form, as rows name it. */
async function accountOf(): Promise<number> {
  const [row] = await service().query<{ account_id: number }[]>('SELECT account_id FROM forms WHERE id = ?', [form.id]);
  return row?.account_id ?? 0;
}

/** In how many submissions of each kind the account's models have seen words: how many words for each. */
async function wordsKnown(): Promise<Record<string, number>> {
  const models = await rowsOf(SpamModel).findBy({ accountId: await accountOf() });
  const tally: Record<string, number> = {};
  for (const { id: modelId } of models) {
    for (const { spam, ham } of await rowsOf(SpamWord).findBy({ modelId })) {
      tally[`${spam}/${ham}`] = (tally[`${spam}/${ham}`] ?? 0) + 1;
    }
  }
  return tally;
}

/** Counts rows left of the account's training, and of abandoned models. */
const leftovers = async () => ({
  lessons: await rowsOf(SpamLesson).countBy({ accountId: await accountOf() }),
  abandoned: await rowsOf(SpamModel).countBy({ accountId: IsNull() }),
});
const NOTHING_LEFT = { lessons: 0, abandoned: 0 };

describe('The spam filter learns', () => {
  it('from being told what is spam and what is not, also when that is what it was', async () => {
    const spam = await service().submitSpam(form, { message: 'cheap pills' });
    const ham = await service().submit(form, { message: 'wedding cake' });
    expect(await learnt()).toEqual(NOTHING);

    await marked(spam, { spam: true });
    await marked(ham, { spam: false });

    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 1 } });
    // links:0 is in both; two words and the whole value are in each.
    expect(await wordsKnown()).toEqual({ '1/1': 1, '1/0': 3, '0/1': 3 });
  });

  it('from what was answered, and no longer when that is taken back', async () => {
    const id = await service().submit(form, { message: 'wedding cake' });
    await triaged(id, { answered: true });
    expect(await learnt()).toMatchObject({ own: { spam: 0, ham: 1 } });

    await triaged(id, { answered: false });
    expect(await learnt()).toEqual(NOTHING);
  });

  it('from a star and from done, and no longer when both are taken back', async () => {
    const id = await service().submit(form, { message: 'wedding cake' });
    await triaged(id, { starred: true });
    expect(await learnt()).toMatchObject({ own: { spam: 0, ham: 1 } });

    await triaged(id, { done: true });
    await triaged(id, { starred: false });
    expect(await learnt()).toMatchObject({ own: { spam: 0, ham: 1 } });

    await triaged(id, { done: false });
    expect(await learnt()).toEqual(NOTHING);
    expect(await wordsKnown()).toEqual({});
  });

  it('nothing from reading, from the trash, nor from a star on spam', async () => {
    const id = await service().submit(form);
    await triaged(id, { read: true });
    await marked(id, { trash: true });
    const spam = await service().submitSpam(form, { message: 'cheap pills' });
    await triaged(spam, { starred: true });

    expect(await learnt()).toEqual(NOTHING);
  });

  it('from many marked at once, in the inbox as through the API', async () => {
    const ids = [await service().submit(form), await service().submit(form)];
    await owner.post('/api/v1/submissions/bulk', { ids, changes: { spam: true } }).expect(200);

    expect(await learnt()).toMatchObject({ own: { spam: 2, ham: 0 } });
  });

  it('the other way round when somebody says otherwise, exactly', async () => {
    const id = await service().submit(form, { message: 'wedding cake' });
    await marked(id, { spam: true });
    await learn();
    await marked(id, { spam: false });

    expect(await learnt()).toMatchObject({ own: { spam: 0, ham: 1 } });
    expect(await wordsKnown()).toEqual({ '0/1': 4 });
  });

  it('what was marked last, and nothing twice, when nobody had time to learn', async () => {
    const id = await service().submit(form);
    for (const spam of [true, false, true, true]) await marked(id, { spam });

    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 0 } });
    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 0 } });
  });
});

it('Two workers at once learn each submission once, while people go on marking', async () => {
  const ids = await Promise.all(
    Array.from({ length: 30 }, (_, n) => service().submit(form, { message: `cheap pills ${n}` })),
  );
  const lessons = service().app.get(SpamLessons);
  const marks = service().app.get(MarkedSubmissions);
  const work = async () => {
    while ((await lessons.learnSome((tx, some) => marks.read(tx, some))) > 0);
  };
  for (const id of ids) await marked(id, { spam: true });

  const again = ids.slice(0, 10).map((id) => marked(id, { spam: false }));
  await Promise.all([work(), work(), ...again]);

  expect(await learnt()).toMatchObject({ own: { spam: 20, ham: 10 } });
  // "links:0", "cheap" and "pills" are in all.
  expect((await wordsKnown())['20/10']).toBe(3);
});

describe('What is erased', () => {
  it('is forgotten with its words, as one submission and as a person', async () => {
    const one = await service().submit(form, { email: 'jane@example.com', message: 'cheap pills' });
    const other = await service().submit(form, { email: 'joe@example.com', message: 'cheap cake' });
    const third = await service().submit(form, { email: 'joe@example.com', message: 'cheap car' });
    for (const id of [one, other, third]) await marked(id, { spam: true });
    expect(await learnt()).toMatchObject({ own: { spam: 3, ham: 0 } });

    await owner.delete(`${pathOf(form)}?field=email&value=joe%40example.com`).expect(200);
    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 0 } });

    await owner.delete(`${pathOf(form)}/${one}`).expect(200);
    expect(await learnt()).toEqual(NOTHING);
    expect(await wordsKnown()).toEqual({});
    expect(await leftovers()).toEqual(NOTHING_LEFT);
  });

  it('goes with its form', async () => {
    const caller = await owner.makeClientCaller({ form_ids: [form.id] });
    await marked(await service().submit(form), { spam: true });
    await marked(await service().submit(form), { spam: true }, caller);
    await learn();

    await owner.delete(`/api/v1/forms/${form.identifier}`).expect(200);
    await learn();

    expect(await learnt()).toEqual(NOTHING);
    expect(await wordsKnown()).toEqual({});
    expect(await leftovers()).toEqual(NOTHING_LEFT);
  });

  it('before it was learnt leaves nothing to learn', async () => {
    const id = await service().submit(form);
    await marked(id, { spam: true });
    await owner.delete(`${pathOf(form)}/${id}`).expect(200);

    expect(await learnt()).toEqual(NOTHING);
  });
});

it('What a client marks counts for its form alone, until somebody of the account says the same', async () => {
  const caller = await owner.makeClientCaller({ form_ids: [form.id] });
  const id = await service().submit(form);
  await marked(id, { spam: true }, caller);

  expect(await learnt()).toMatchObject({ own: { spam: 0 }, by_clients: { spam: 1, ham: 0 } });
  expect((await rowsOf(SpamModel).findBy({ formId: form.id })).map(({ spam }) => spam)).toEqual([1]);

  await marked(id, { spam: true });
  expect(await learnt()).toMatchObject({ own: { spam: 1 }, by_clients: { spam: 0, ham: 0 } });
});

describe('What was learnt', () => {
  it('is reset by an owner, and begins anew', async () => {
    const id = await service().submit(form);
    await marked(id, { spam: true });
    await learn();
    await marked(await service().submit(form), { spam: true });

    await owner.delete(LEARNING).expect(200);

    expect(await learnt()).toEqual(NOTHING);
    expect(await wordsKnown()).toEqual({});
    expect(await leftovers()).toEqual(NOTHING_LEFT);
    await marked(id, { spam: true });
    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 0 } });
  });

  it('is shown to owners alone, each their own', async () => {
    await marked(await service().submit(form), { spam: true });
    const other = await service().openAccount();
    expect(await learnt(other)).toEqual(NOTHING);
    await other.delete(LEARNING).expect(200);
    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 0 } });

    const caller = await owner.makeClientCaller({ form_ids: [form.id] });
    await caller.get(LEARNING).expect(refusal(403, 'account_change_forbidden'));
    await caller.delete(LEARNING).expect(refusal(403, 'account_change_forbidden'));
    expect(await learnt()).toMatchObject({ own: { spam: 1, ham: 0 } });
  });

  it('is bounded: words of a submission, and submissions of each kind, the newest of them', async () => {
    const long = Array.from({ length: 3 * WORDS_MAX }, (_, n) => `w${n}`).join(' ');
    const first = await service().submit(form, { message: long });
    await marked(first, { spam: true });
    await learn();
    expect(await wordsKnown()).toEqual({ '1/0': WORDS_MAX });
    const [model] = await rowsOf(SpamModel).find({ order: { id: 'DESC' }, take: 1 });
    await rowsOf(SpamModel).update({ id: model?.id ?? 0 }, { spam: LESSONS_MAX });

    const second = await service().submit(form, { message: 'cheap pills' });
    await marked(second, { spam: true });

    expect(await learnt()).toMatchObject({ own: { spam: LESSONS_MAX, ham: 0 } });
    expect(await wordsKnown()).toEqual({ '1/0': 4 });
    await marked(first, { spam: true });
    expect(await wordsKnown()).toEqual({ '1/0': 4 });
  });
});

describe('What is like marked spam', () => {
  const SPAM = 'Win at our casino: cheap pills, luxury watches, instant payouts, exclusive jackpots';
  const HAM = 'Please send an offer for the kitchen, two windows and new doors in our garden house';

  /** Marks so many of each kind, and learns. */
  async function teach(count: number, caller = owner): Promise<void> {
    for (const [message, spam] of [
      [SPAM, true],
      [HAM, false],
    ] as const) {
      const values = Array.from({ length: count }, (_, n) => ({ message: `${message} ${n}` }));
      const ids = await Promise.all(values.map((value) => service().submit(form, value)));
      // What is not spam already differs only when it is told by itself.
      for (const id of ids) await marked(id, { spam }, caller);
    }
    await learn();
  }

  /** Makes a form that is judged by what was learnt alone; the rest is near for texts that are so alike. */
  async function judged(of?: FormBody): Promise<FormBody> {
    const made = of ?? (await owner.makeForm());
    const path = `/api/v1/forms/${made.identifier}/spam` as const;
    const names = Object.keys((await owner.read(path)).spam.signals);
    const others = names.filter((name) => name !== 'learned').map((name) => [name, { enabled: false }]);
    await owner.put(path, { spam: { signals: Object.fromEntries(others) as object } }).expect(200);
    return made;
  }

  async function verdictOf(message: string, of: FormBody) {
    const id = await service().submit(of, { message });
    return await owner.read(`${pathOf(of)}/${id}/verdict`);
  }

  it('is told by its words, from 50 marks of each kind on, in all forms, and never enough for spam', async () => {
    await teach(49);
    expect(await verdictOf(SPAM, await judged())).toMatchObject({ parts: [] });
    await teach(1);

    const part = { name: 'learned', points: 2, reason: expect.stringContaining('"casino"') };
    expect(await verdictOf(SPAM, await judged())).toMatchObject({ verdict: 'clean', parts: [part] });
    expect(await verdictOf(HAM, await judged())).toMatchObject({ parts: [] });
    expect(await verdictOf('Hello there', await judged())).toMatchObject({ parts: [] });

    // The same shares of four times as many.
    const models = await rowsOf(SpamModel).findBy({ accountId: await accountOf() });
    for (const { id, spam, ham } of models) {
      await rowsOf(SpamModel).update({ id }, { spam: spam * 4, ham: ham * 4 });
      await service().query('UPDATE spam_words SET spam = spam * 4, ham = ham * 4 WHERE model_id = ?', [id]);
    }
    const sure = await judged();
    expect(await verdictOf(SPAM, sure)).toMatchObject({ verdict: 'held', parts: [{ ...part, points: 6 }] });
    const spam = { signals: { learned: { points: 100 } } };
    await owner.put(`/api/v1/forms/${sure.identifier}/spam`, { spam }).expect(200);
    await until(async () => (await verdictOf(SPAM, sure)).parts[0]?.points === 9);
    expect(await verdictOf(SPAM, sure)).toMatchObject({ verdict: 'held' });

    const off = { signals: { learned: { enabled: false } } };
    await owner.put(`/api/v1/forms/${sure.identifier}/spam`, { spam: off }).expect(200);
    await until(async () => (await verdictOf(SPAM, sure)).parts.length === 0);
  });

  it('is told in the form of a client alone where the client marked it', async () => {
    const client = await owner.makeClient({ form_ids: [form.id] });
    await judged(form);
    await teach(50, service().as(await owner.makeClientToken(client)));

    await until(async () => (await verdictOf(SPAM, form)).parts.length === 1);
    expect(await verdictOf(SPAM, await judged())).toMatchObject({ parts: [] });
  });
});
