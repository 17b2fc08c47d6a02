import { CanariesRepository } from '../../src/health/canary/canaries.repository.js';
import { FormCanary } from '../../src/health/canary/form-canary.entity.js';
import { failed } from '../../src/health/canary/step.js';
import { ProbeRuns } from '../../src/health/canary/probe-runs.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { WaitingCounts } from '../../src/statistics/waiting-counts.service.js';
import { Mend } from '../../src/web/deliveries/warning.js';
import { renderPage } from '../../src/web/layout/send-page.js';
import { DAY_MS, HOUR_MS, useStoppedClock } from '../support/clock.js';
import { elementsOf, textOf } from '../support/page.js';
import { accountOf } from '../support/people.js';
import { Rhythms } from '../support/rhythm.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';
import { named, send } from '../support/submit.js';

const clock = useStoppedClock();
const service = useService({ WORKERS: 'off', CANARY: 'on' });
const rhythms = new Rhythms(service, clock);
let form: FormBody;
let here: string;
const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact' });
  here = `/forms/${form.identifier}/activity`;
});

const page = async (browser = jane) => (await browser.get(here)).text;
const plain = (text: string) =>
  text
    .replace(/<\/(?:th|td|dt)>/g, ' ')
    .replace(/<[^<>]*>/g, '')
    .replace(/\s+/g, ' ');

const watch = async () => (await owner.read(`/api/v1/forms/${form.identifier}/watch`)).watch;
const canary = async () => (await owner.read(`/api/v1/forms/${form.identifier}/canary`)).canary;

/** Values of what is chosen among radio buttons, and of what is typed. */
const chosenIn = (text: string): string[] =>
  elementsOf(text).flatMap(({ name, attributes: { checked, selected, value = '' } }) =>
    (name === 'input' && checked !== undefined) || (name === 'option' && selected !== undefined) ? [value] : [],
  );

describe('The page of a watched form', () => {
  it('says in a sentence how the form fares', async () => {
    expect(plain(await page())).toContain('Learning. Alerts start after three weeks');

    await rhythms.liveEvery(form, 3);
    await rhythms.look();
    const alive = plain(await page());
    expect(alive).toContain(
      'Receiving. The last submission was received an hour ago. We alert you if there are none until',
    );

    clock.forward(2 * DAY_MS);
    await rhythms.look();
    expect(plain(await page())).toContain('Needs attention. No submissions since');
  });

  it('says that nothing has come yet, and leads to the snippet', async () => {
    clock.forward(4 * DAY_MS);
    await rhythms.look();

    const text = await page();
    expect(plain(text)).toContain('No submissions yet. Add the form');
    expect(text).toContain(`href="/forms/${form.identifier}/setup" class="button`);
    expect(plain(text)).toContain('Show the snippet');
  });

  it('draws what is usual into the chart of what was received, once it is known', async () => {
    await rhythms.receive(form, [24, 24, 48]);
    expect(plain(await page())).toContain('We show the usual range after three weeks.');
    expect(await page()).not.toContain('class="usual"');

    clock.forward(30 * DAY_MS);
    await rhythms.liveEvery(form, 3);
    await rhythms.look();
    const text = await page(await service().makeBrowser(owner));
    expect(plain(text)).toContain('All full days were within the usual range.');
    expect(text).toMatch(/<path class="usual" d="M/);
    expect(text).toMatch(/<title>[^<]*usually \d+–\d+<\/title>/);
    const weeks = await (await service().makeBrowser(owner)).get(`${here}?span=90d`);
    expect(weeks.text).not.toContain('class="usual"');
  });

  it('has what the form refused, by reason', async () => {
    expect(await page()).not.toContain('id="refused"');
    await send(`${service().url}/f/${form.identifier}`, named({}));
    await service().app.get(WaitingCounts).flush();
    expect(plain(await page())).toContain('No fields 1');
  });

  it('is where its former pages lead', async () => {
    for (const path of ['statistics', 'watch']) {
      const old = await jane.get(`/forms/${form.identifier}/${path}?span=7d`);
      expect([old.status, old.headers.location]).toEqual([301, `${here}?span=7d`]);
    }
  });

  it('has what is unusual about the form, with what mends it', async () => {
    await rhythms.liveEvery(form, 3);
    await rhythms.receive(
      form,
      Array.from({ length: 40 }, (_, n) => n % 20),
      { spam: 1 },
    );
    await rhythms.look();

    const text = await page();
    expect(plain(text)).toContain('Much more spam than usual since');
    expect(text).toContain(`href="/forms/${form.identifier}/spam" class="button`);
  });

  it('sets how soon silence is told', async () => {
    expect(chosenIn(await page())).toContain('normal');

    expect((await jane.post(here, { level: 'strict' })).headers.location).toBe(`${here}#alerts`);
    expect(await watch()).toMatchObject({ level: 'strict' });
    expect(chosenIn(await page())).toContain('strict');

    await jane.post(here, { level: 'off' });
    expect(plain(await page())).toContain('Not monitored. No alerts about missing submissions.');

    const { status, text } = await jane.post(here, { level: 'loud' });
    expect(status).toBe(422);
    expect(plain(text)).toContain('Must be one of off, quiet, normal, strict');
    expect(await watch()).toMatchObject({ level: 'off' });
  });

  it('sets when the canary runs, and the page that it looks at', async () => {
    const set = (schedule: string, address: string) =>
      jane.post(`${here}/canary`, { 'canary.schedule': schedule, 'canary.page': address });

    expect((await set('daily', ' https://example.com/a ')).status).toBe(303);
    expect(await canary()).toMatchObject({ ...{ schedule: 'daily', page: 'https://example.com/a' } });
    expect(chosenIn(await page())).toContain('daily');
    expect(await page()).toContain('value="https://example.com/a"');

    const { status, text } = await set('hourly', 'nowhere');
    expect(status).toBe(422);
    expect(text).toContain('value="nowhere"');
    expect(chosenIn(text)).toContain('hourly');

    await set('off', '');
    expect(await canary()).toMatchObject({ schedule: 'off', page: null });
  });

  it('runs the canary, and has its steps in words', async () => {
    service().app.get(ProbeRuns).queueWaitMs = 0;
    expect(textOf(await page(), 'caption')).not.toContain('Last check');

    const { status, headers } = await jane.post(`${here}/check`);
    expect([status, headers.location]).toEqual([303, `${here}#canary`]);
    expect((await canary()).ran_at).not.toBeNull();
    const text = plain(await page());
    expect(text).toContain('All checks done');
    expect(text).toContain('Page Not checked No submission says which page it came from');
    expect(text).toMatch(/Form address (?:OK|Failed)/);
  });
});

describe('The dot beside the name of a form', () => {
  const dots = async (browser = jane) =>
    elementsOf((await browser.get('/forms')).text)
      .filter(({ attributes }) => attributes.class?.startsWith('dot ') ?? false)
      .map(({ attributes: { class: look, title, 'aria-label': label } }) => {
        expect(label).toBe(title);
        return `${look?.split(' ').at(-1)}: ${title}`;
      });

  it('says whether it receives, is missing submissions, is learned, or is not monitored', async () => {
    const silent = await owner.makeForm({ name: 'Silent' });
    await rhythms.receive(
      silent,
      Array.from({ length: 500 }, (_, n) => 3 * n),
    );
    clock.forward(60 * HOUR_MS);
    await rhythms.liveEvery(form, 3);
    await owner.makeForm({ name: 'New' });
    const off = await owner.makeForm({ name: 'Off' });
    await jane.post(`/forms/${off.identifier}/activity`, { level: 'off' });
    await rhythms.look();

    expect(await dots()).toEqual([
      'good: Receiving',
      'bad: No submissions lately',
      'hollow: Learning how often submissions are received',
      'off: Not monitored',
    ]);
    clock.forward(4 * DAY_MS);
    await rhythms.look();
    expect((await dots())[2]).toBe('hollow: No submissions yet');
  });

  it('asks for a look where the canary fails, or something else is unusual', async () => {
    const flooded = await owner.makeForm({ name: 'Flooded' });
    await rhythms.liveEvery(flooded, 3);
    await rhythms.receive(flooded, new Array<number>(40).fill(2), { spam: 1 });
    await rhythms.look();
    const accountId = await accountOf(owner);
    const failing = FormCanary.create({ id: form.id, accountId }, clock.now());
    for (let run = 0; run < 2; run++) {
      failing.take([failed('form', 'method_get', 'The form is sent by GET.')], true, clock.now());
    }
    const { app } = service();
    const canaries = app.get(CanariesRepository);
    await app.get(UnitOfWork).run((tx) => canaries.in(tx).add([failing]));

    expect(await dots()).toEqual(['warn: Page check fails', 'warn: Spam is rising']);
  });
});

it('A warning of what is unusual leads to the page that mends it', () => {
  const places = {
    form_silent: '/forms/x/activity',
    never_connected: '/forms/x/setup',
    page_broken: '/forms/x/activity#canary',
    canary_failing: '/forms/x/activity#canary',
    visitors_refused: '/forms/x/settings#fields',
    verdicts_changed: '/inbox?q=is%3Aspam+form%3Ax',
    spam_rising: '/forms/x/spam',
  };
  const found = Object.keys(places).map((code) => {
    const drawn = renderPage(Mend({ code, identifier: 'x', mayChange: true }));
    return [code, elementsOf(drawn).find(({ name }) => name === 'a')?.attributes.href];
  });
  expect(Object.fromEntries(found)).toEqual(places);
});
