import { HOUR_MS, useClock } from '../support/clock.js';
import { elementsOf } from '../support/page.js';
import { saveSettings } from '../support/page-forms.js';
import { refusal } from '../support/refusal.js';
import { useService, type Service } from '../support/service.js';
import { Inbox, json, multipart, urlencoded } from '../support/submit.js';

/** Visitors who send at the same time. */
const CROWD = 30;

const clock = useClock();
const service = useService({ WORKERS: 'off' });
let sibling: Service;
beforeAll(async () => {
  sibling = await service().beside();
});
let inbox: Inbox;
let path: string;
beforeEach(async () => {
  inbox = await Inbox.open(service());
  path = `/api/v1/forms/${inbox.form.identifier}/intake`;
});

const OPEN = {
  ...{ paused: false, message: null, opens_at: null, closes_at: null },
  ...{ max_submissions: null, max_per_period: null, period: 'day', merge_repeats: true },
};
const ONE = [['a', '1']] as const;
const SENT = urlencoded(ONE);
const set = (intake: unknown) => inbox.owner.put(path, { intake });
const NAVIGATION = { Accept: 'text/html' };

describe('The opening of a form', () => {
  it('is always at first, then as its owner says; what is not named gets its default', async () => {
    await inbox.owner.get(path).expect(200, { intake: OPEN });
    const all = {
      paused: true,
      message: 'Back on Monday',
      opens_at: '2029-01-31T17:00:00.000Z',
      closes_at: '2030-01-31T17:00:00.000Z',
      ...{ max_submissions: 100, max_per_period: 10, period: 'week', merge_repeats: false },
    };
    const typed = { ...all, message: ' Back on Monday ', closes_at: '2030-01-31T18:00:00+01:00' };
    await set(typed).expect(200, { intake: all });
    await inbox.owner.get(path).expect(200, { intake: all });
    await set({ max_submissions: 5 }).expect(200, { intake: { ...OPEN, max_submissions: 5 } });
    await set({}).expect(200, { intake: OPEN });
  });

  it.each([
    ['intake', null],
    ['intake', 'paused'],
    ['intake.paused', { paused: null }],
    ['intake.paused', { paused: 'yes' }],
    ['intake.message', { message: ' ' }],
    ['intake.message', { message: 'x'.repeat(501) }],
    ['intake.closes_at', { closes_at: '2030-01-31T18:00' }],
    ['intake.closes_at', { closes_at: 'tomorrow' }],
    ['intake.merge_repeats', { merge_repeats: 'no' }],
    ['intake.max_submissions', { max_submissions: 0 }],
    ['intake.max_submissions', { max_submissions: 1.5 }],
    ['intake.opens_at', { opens_at: 'soon' }],
    ['intake.max_per_period', { max_per_period: 0 }],
    ['intake.period', { period: 'year' }],
    ['intake.colour', { colour: 'red' }],
  ])('is refused where it cannot be kept, naming %s', async (field, intake) => {
    await set(intake).expect(refusal(422, 'invalid_fields', field));
    await inbox.owner.get(path).expect(200, { intake: OPEN });
  });
});

describe('A paused form', () => {
  it('refuses every encoding with the words of its owner, and stores nothing', async () => {
    await set({ paused: true, message: 'Back on <Monday>' }).expect(200);
    const file = { field: 'cv', name: 'cv.txt', bytes: 'x' };
    for (const sent of [SENT, json(ONE), multipart(ONE, [file])]) {
      const { status, body } = await inbox.submit(sent);
      expect(status).toBe(410);
      expect(body).toMatchObject({
        message: 'Back on <Monday>',
        errors: [{ field: null, code: 'FORM_PAUSED', message: 'Back on <Monday>' }],
      });
    }
    const page = await inbox.submit({ ...SENT, headers: NAVIGATION });
    expect(page.status).toBe(410);
    expect(page.text).toContain('Back on &lt;Monday>');
    expect(page.text).not.toContain('send them again');
    const shown = await inbox.submit({ method: 'GET', headers: NAVIGATION });
    expect(shown.text).toContain('Back on &lt;Monday>');
    expect(await inbox.all()).toEqual([]);
    await set({}).expect(200);
    expect((await inbox.submit(SENT)).status).toBe(200);
  });

  it('has a message of ours without one, and reads no body', async () => {
    await set({ paused: true }).expect(200);
    const { status, body } = await inbox.submit({ type: 'application/json', body: '{' });
    expect({ status, message: body.message }).toEqual({
      status: 410,
      message: 'This form takes no submissions at the moment. Come back later.',
    });
  });

  it('gives a repetition its first answer', async () => {
    const headers = { 'Idempotency-Key': 'one' };
    const first = await inbox.submit({ ...SENT, headers });
    await set({ paused: true }).expect(200);
    expect((await inbox.submit({ ...SENT, headers })).body).toEqual(first.body);
    const other = await inbox.submit({ ...SENT, headers: { 'Idempotency-Key': 'two' } });
    expect(other.status).toBe(410);
  });

  it('is in a state that somebody wanted, which is no warning', async () => {
    const codesOf = async () => {
      const { body } = await inbox.owner.get(path.replace('intake', 'warnings')).expect(200);
      return (body as { warnings: { code: string }[] }).warnings.map(({ code }) => code);
    };
    const before = await codesOf();
    await set({ paused: true }).expect(200);
    expect(await codesOf()).toEqual(before);
    await inbox.owner.get(path.replace('/intake', '')).expect(200);
  });
});

it('A form with a last moment takes submissions until then', async () => {
  const closes = new Date(clock.now().getTime() + HOUR_MS).toISOString();
  await set({ closes_at: closes }).expect(200);
  expect((await inbox.submit(SENT)).status).toBe(200);
  clock.forward(HOUR_MS);
  const { status, body } = await inbox.submit(SENT);
  expect(status).toBe(410);
  expect(body.errors).toMatchObject([{ code: 'FORM_CLOSED' }]);
});

describe('A form with a number of submissions', () => {
  it('takes exactly so many of those that come at once, and no spam counts', async () => {
    await set({ max_submissions: 7 }).expect(200);
    await inbox.accept(urlencoded([...ONE, ['_gotcha', 'x']]));
    const answers = await Promise.all(
      Array.from({ length: CROWD }, (_, at) => inbox.submit(urlencoded([['a', `${at}`]]))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array<number>(7).fill(200), ...Array<number>(CROWD - 7).fill(410)]);
    const refused = answers.find(({ status }) => status === 410);
    expect(refused?.body.errors).toMatchObject([{ code: 'FORM_FULL' }]);
    expect(await inbox.count()).toBe(7);
    expect(await inbox.all()).toHaveLength(8);
  });

  it('takes no more than that through several instances', async () => {
    await set({ max_submissions: 5 }).expect(200);
    const there = inbox.at(sibling);
    const answers = await Promise.all(
      Array.from({ length: CROWD }, (_, at) => (at % 2 ? inbox : there).submit(urlencoded([['a', `${at}`]]))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(await inbox.count()).toBe(5);
  });

  it('keeps the files of no submission that is one too many, and leaves other forms alone', async () => {
    await set({ max_submissions: 1 }).expect(200);
    const other = await Inbox.open(service());
    const file = { field: 'cv', name: 'cv.txt', bytes: 'x' };
    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => inbox.submit(multipart(ONE, [file]))),
      ...Array.from({ length: 10 }, () => other.submit(multipart(ONE, [file]))),
    ]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(11);
    expect(await other.count()).toBe(10);
  });
});

describe('A form that opens later', () => {
  it('refuses until then, and takes submissions from then on', async () => {
    const opensAt = new Date(clock.now().getTime() + HOUR_MS);
    await set({ opens_at: opensAt.toISOString() }).expect(200);
    const { status, body } = await inbox.submit(SENT);
    expect({ status, body }).toMatchObject({ status: 410, body: { errors: [{ code: 'FORM_NOT_OPEN_YET' }] } });
    clock.forward(HOUR_MS);
    expect((await inbox.submit(SENT)).status).toBe(200);
  });
});

describe('A form with a limit for a day, a week or a month', () => {
  it.each([
    ['day', 24 * HOUR_MS],
    ['week', 7 * 24 * HOUR_MS],
    ['month', 31 * 24 * HOUR_MS],
  ])('takes as many in a %s, also from a crowd, and opens again in the next one', async (period, long) => {
    await set({ max_per_period: 3, period, merge_repeats: false }).expect(200);
    const crowd = await Promise.all(Array.from({ length: CROWD }, () => inbox.submit(SENT)));
    expect(crowd.filter(({ status }) => status === 200)).toHaveLength(3);
    const { status, body } = await inbox.submit(SENT);
    expect({ status, body }).toMatchObject({ status: 410, body: { errors: [{ code: 'FORM_FULL_FOR_NOW' }] } });
    clock.forward(long);
    expect((await inbox.submit(SENT)).status).toBe(200);
    expect(await inbox.count()).toBe(4);
  });

  it('is full for good where it has all that it takes', async () => {
    await set({ max_per_period: 5, max_submissions: 1, merge_repeats: false }).expect(200);
    await inbox.submit(SENT);
    expect((await inbox.submit(SENT)).body.errors).toMatchObject([{ code: 'FORM_FULL' }]);
  });
});

describe('The page that opens and closes a form', () => {
  const closesAt = async () => (await inbox.owner.read(path)).intake.closes_at;

  it('shows and takes the time in the zone of the person, and keeps one that stays to the millisecond', async () => {
    const jane = await service().makeBrowser(inbox.owner);
    await jane.post('/account/time-zone', { 'settings.time_zone': 'Europe/Berlin' });
    const page = `/forms/${inbox.form.identifier}/settings`;
    const shown = async () => {
      const { text } = await jane.get(page);
      expect(text).toContain('In your time zone, Europe/Berlin.');
      const inputs = elementsOf(text).map(({ attributes }) => attributes);
      const { type, value } = inputs.find(({ name }) => name === 'settings.closes_at') ?? {};
      expect(type).toBe('datetime-local');
      return value ?? '';
    };
    const save = async (value: string) => {
      expect((await saveSettings(jane, inbox.form, { closes_at: value })).status).toBe(303);
    };

    await save('2030-07-31T18:05');
    expect(await closesAt()).toBe('2030-07-31T16:05:00.000Z');
    expect(await shown()).toBe('2030-07-31T18:05');

    // The clocks of Berlin show half past two twice that night.
    for (const twice of ['2030-10-27T00:30:15.250Z', '2030-10-27T01:30:15.250Z']) {
      await set({ closes_at: twice }).expect(200);
      expect(await shown()).toBe('2030-10-27T02:30');
      await save(await shown());
      expect(await closesAt()).toBe(twice);
    }
    await save('');
    expect(await closesAt()).toBeNull();
    expect(await shown()).toBe('');
  });

  it('sets what is typed, without script, and shows it again when it is refused', async () => {
    const jane = await service().makeBrowser(inbox.owner);
    const typed = {
      ...{ paused: 'true', closed_message: 'Back soon', closes_at: '2030-01-31T18:00' },
      ...{ max_submissions: '10', opens_at: '2029-01-31T18:00', max_per_period: '3' },
    };
    expect((await saveSettings(jane, inbox.form, { ...typed, period: 'week' })).status).toBe(303);
    await inbox.owner
      .get(path)
      .expect(200, {
        intake: {
          ...{ paused: true, message: 'Back soon', opens_at: '2029-01-31T18:00:00.000Z' },
          ...{ closes_at: '2030-01-31T18:00:00.000Z', max_submissions: 10 },
          ...{ max_per_period: 3, period: 'week', merge_repeats: true },
        },
      });
    const { text } = await jane.get(`/forms/${inbox.form.identifier}/settings`);
    expect(text).toContain('This form is closed. Visitors see: <q dir="auto">Back soon</q>');
    expect(text).toContain('value="2030-01-31T18:00"');
    expect((await jane.get('/forms')).text).toContain('>Paused<');
    const wrong = await saveSettings(jane, inbox.form, { max_submissions: 'x' });
    expect(wrong.status).toBe(422);
    expect(wrong.text).toContain('value="x"');
  });
});
