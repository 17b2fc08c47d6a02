import { refusal } from '../support/refusal.js';
import { useService } from '../support/service.js';
import { Inbox, json, multipart, urlencoded, type Answer, type Sent } from '../support/submit.js';

const service = useService({ WORKERS: 'off', MAX_FIELDS: '10000' });
let inbox: Inbox;
let path: string;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  path = `/api/v1/forms/${inbox.form.identifier}/fields`;
});

const RULES = [
  { name: 'email', kind: 'email', required: true },
  { name: 'age', kind: 'number', min: 18, max: 120 },
  { name: 'code', pattern: '[A-Z]{2}\\d+', min_length: 3, max_length: 5 },
  { name: 'size', kind: 'choices', choices: ['S', 'M'] },
  { name: 'site', kind: 'url' },
  { name: 'cv', required: true },
];
const GOOD = [
  ['email', 'jane@example.com'],
  ['age', '42'],
  ['code', 'DE123'],
  ['size', 'M'],
  ['site', 'https://example.com/'],
  ['cv', 'a text will do'],
] as const;
const BAD = [
  ['email', 'jane@'],
  ['age', '17'],
  ['code', 'DE1234'],
  ['size', 'L'],
  ['site', 'example.com'],
] as const;
const BROKEN = [
  ['email', 'NOT_AN_EMAIL'],
  ['age', 'TOO_SMALL'],
  ['code', 'TOO_LONG'],
  ['size', 'NOT_A_CHOICE'],
  ['site', 'NOT_A_URL'],
  ['cv', 'REQUIRED'],
];

const CLEAN = { verdict: 'clean', score: 0, parts: [] };

const setRules = (fields: object[], onFailure?: string) => inbox.owner.setFields(inbox.form, fields, onFailure);
const brokenOf = ({ body }: Answer) =>
  (body.errors as { field: string; code: string }[]).map(({ field, code }) => [field, code]);

describe('The rules for the fields of a form', () => {
  it.each([
    ['0.required', [{ name: 'a', required: 'yes' }]],
    ['0.min', [{ name: 'a', min: 1 }]],
    ['0.min', [{ name: 'a', kind: 'number', min: '1' }]],
    ['0.max', [{ name: 'a', kind: 'number', min: 2, max: 1 }]],
    ['0.min_length', [{ name: 'a', min_length: -1 }]],
    ['0.max_length', [{ name: 'a', min_length: 2, max_length: 1 }]],
    ['0.pattern', [{ name: 'a', pattern: '' }]],
    ['0.pattern', [{ name: 'a', pattern: '(' }]],
    ['0.pattern', [{ name: 'a', pattern: 'a(?=b)' }]],
    ['0.pattern', [{ name: 'a', pattern: '(a)\\1' }]],
    ['0.pattern', [{ name: 'a', pattern: '(.*a){900}' }]],
    ['0.pattern', [{ name: 'a', pattern: 'x'.repeat(501) }]],
    ['1.pattern', [{ name: 'a' }, { name: 'b', pattern: '[b-a]' }]],
    ['0.choices', [{ name: 'a', choices: ['b'] }]],
    ...[[], ['b', 'b'], [''], [1], Array.from({ length: 101 }, String)].map((choices): [string, object[]] => [
      '0.choices',
      [{ name: 'a', kind: 'choice', choices }],
    ]),
  ])('are refused where they cannot be kept, naming fields.%s', async (field, fields) => {
    await inbox.owner.put(path, { fields }).expect(refusal(422, 'invalid_fields', `fields.${field}`));
    await inbox.owner.get(path).expect(200, { fields: [] });
  });

  it('are refused with another action', async () => {
    await inbox.owner
      .put(path, { fields: RULES, on_failure: 'drop' })
      .expect(refusal(422, 'invalid_fields', 'on_failure'));
  });
});

describe.each([
  ['urlencoded', urlencoded],
  ['multipart', multipart],
  ['JSON', json],
])('A submission as %s', (_, encoded: (pairs: readonly (readonly [string, string])[]) => Sent) => {
  beforeEach(() => setRules(RULES));

  it('is stored if it keeps the rules', async () => {
    expect((await inbox.submit(encoded(GOOD))).status).toBe(200);
    expect(await inbox.count()).toBe(1);
  });

  it('is refused otherwise, naming each field with the rule it breaks', async () => {
    const answer = await inbox.submit(encoded(BAD));

    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ message: 'Please check these fields.', error: 'Please check these fields.' });
    expect(brokenOf(answer)).toEqual(BROKEN);
    expect(await inbox.all()).toEqual([]);
  });

  it('is stored with optional fields that are empty', async () => {
    const empty = GOOD.map(([name, value]): readonly [string, string] => [
      name,
      name === 'email' || name === 'cv' ? value : '',
    ]);
    expect((await inbox.submit(encoded(empty))).status).toBe(200);
  });
});

describe('A rule', () => {
  it('holds for each of repeated values, and for each item of a list', async () => {
    await setRules([{ name: 'to', kind: 'email', required: true }]);
    const twice = (second: string) =>
      urlencoded([
        ['to', 'a@example.com'],
        ['to', second],
      ]);
    expect(brokenOf(await inbox.submit(twice('b')))).toEqual([['to', 'NOT_AN_EMAIL']]);
    expect((await inbox.submit(twice('b@example.com'))).status).toBe(200);
    const list = (to: unknown) => ({ type: 'application/json', body: JSON.stringify({ to }) });
    expect(brokenOf(await inbox.submit(list(['a@example.com', 'b'])))).toHaveLength(1);
    expect(brokenOf(await inbox.submit(list([null, ''])))).toEqual([['to', 'REQUIRED']]);
    expect((await inbox.submit(list(['a@example.com']))).status).toBe(200);
  });

  it('takes numbers and objects of JSON as they are written', async () => {
    await setRules([
      { name: 'age', kind: 'number', min: 1 },
      { name: 'at', max_length: 9 },
    ]);
    const sent = (values: object) => ({ type: 'application/json', body: JSON.stringify(values) });
    expect((await inbox.submit(sent({ age: 2.5, at: { x: 1 } }))).status).toBe(200);
    expect(brokenOf(await inbox.submit(sent({ age: true, at: { x: 1000 } })))).toEqual([
      ['age', 'NOT_A_NUMBER'],
      ['at', 'TOO_LONG'],
    ]);
  });

  it('that requires a field counts a file, but no empty one and no blanks', async () => {
    await setRules([{ name: 'cv', required: true }]);
    const cv = { field: 'cv', name: 'cv.txt', bytes: 'Jane' };
    expect((await inbox.submit(multipart([], [cv]))).status).toBe(200);
    const chosenNone = multipart([['a', 'b']], [{ field: 'cv', name: '', bytes: '' }]);
    expect(brokenOf(await inbox.submit(chosenNone))).toEqual([['cv', 'REQUIRED']]);
    expect(brokenOf(await inbox.submit(urlencoded([['cv', '  \n']])))).toHaveLength(1);
  });

  it('says the same of what has a honeypot filled in, and stores it if it keeps the rules', async () => {
    await setRules(RULES);
    const trapped = [['_gotcha', 'x']] as const;
    const refused = await inbox.submit(urlencoded([...BAD, ...trapped]));
    expect(refused.text).toBe((await inbox.submit(urlencoded(BAD))).text);
    await inbox.accept(urlencoded([...GOOD, ...trapped]));
    expect(await inbox.all()).toMatchObject([{ spam: true }]);
  });

  it.each(['(a+)+$', '(?:a|a)*b', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'with the pattern %s refuses a value of 1,000 characters that does not match it',
    async (pattern) => {
      await setRules([{ name: 'a', pattern }]);
      for (const text of ['a'.repeat(1_000) + '!', 'x'.repeat(1_000)]) {
        const refused = await inbox.submit(urlencoded([['a', text]]));
        expect(brokenOf(refused)).toEqual([['a', 'PATTERN_MISMATCH']]);
      }
    },
  );

  it.each([
    ['one long value', '[ab]*a[ab]{490}', [['a', 'ab'.repeat(5_000)]]],
    ['10,000 values', '(?:[a-z]*a){80}', Array.from({ length: 10_000 }, () => ['a', 'a'.repeat(90)] as const)],
  ] as const)('holds %s that a pattern would take too long to match', async (_, pattern, pairs) => {
    await setRules([{ name: 'a', pattern }]);

    const id = await inbox.accept(urlencoded(pairs));

    const verdict = await inbox.owner.get(`${path.replace('/fields', '/submissions')}/${id}/verdict`);
    expect(verdict.body).toMatchObject({
      verdict: 'held',
      parts: [{ name: 'field_rules', reason: expect.stringContaining('too long for the patterns') }],
    });
  });
});

describe('A repeated submission', () => {
  it('gets its first answer, though the rules are others now', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await inbox.submit({ ...urlencoded(BAD), headers });
    await setRules(RULES);
    const again = await inbox.submit({ ...urlencoded(BAD), headers });

    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
  });

  it('is stored with the same key once it keeps the rules', async () => {
    await setRules(RULES);
    const headers = { 'Idempotency-Key': 'two' };
    expect((await inbox.submit({ ...urlencoded(BAD), headers })).status).toBe(422);
    expect((await inbox.submit({ ...urlencoded(GOOD), headers })).status).toBe(200);
  });
});

describe('A form that holds what breaks its rules', () => {
  beforeEach(() => setRules(RULES, 'hold'));
  const submissions = () => `/api/v1/forms/${inbox.form.identifier}/submissions` as const;
  const verdictOf = async (id: string) => (await inbox.owner.get(`${submissions()}/${id}/verdict`).expect(200)).body;

  it('stores it, holds it and names the fields', async () => {
    const reason = expect.stringMatching(/“email”, “age”, “code”, “size”, “site”, “cv”/);
    expect(await verdictOf(await inbox.accept(urlencoded(BAD)))).toMatchObject({
      verdict: 'held',
      parts: [{ name: 'field_rules', points: 5, reason }],
    });
    expect(await verdictOf(await inbox.accept(urlencoded(GOOD)))).toEqual(CLEAN);
    expect(await inbox.count()).toBe(2);
  });

  it('holds it whoever sent it', async () => {
    const lists = { allow: 'jane@example.com' };
    await inbox.owner.put(path.replace('fields', 'spam/lists'), { lists }).expect(200);
    const id = await inbox.accept(urlencoded([...GOOD.slice(0, 1), ['age', '7']]));
    expect(await verdictOf(id)).toMatchObject({ verdict: 'held' });
  });

  it('leaves spam what it is', async () => {
    const id = await inbox.accept(urlencoded([...BAD, ['_gotcha', 'x']]));
    expect(await verdictOf(id)).toMatchObject({ verdict: 'spam' });
  });

  it('holds it when it is judged again, until the form holds no more', async () => {
    const id = await inbox.accept(urlencoded(BAD));
    const again = async () => {
      await inbox.owner.post(`${submissions()}/rejudge`, {}).expect(202);
      await service().upkeep();
      return verdictOf(id);
    };
    expect(await again()).toMatchObject({ verdict: 'held' });
    await setRules([]);
    expect(await again()).toEqual(CLEAN);
  });
});
