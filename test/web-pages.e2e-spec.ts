import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser as Chromium } from 'playwright-core';
import { chromium } from './support/browser.js';
import { startBrowser, VIEWS, Window } from './support/browser-pages.js';
import { makeClient, makeForm, makeToken } from './support/make.js';
import { Browser, makePerson } from './support/people.js';
import { freePort } from './support/program.js';
import { useService, type Caller } from './support/service.js';
import { multipart, send, urlencoded } from './support/submit.js';

/** Eight looks at each page, on a machine that may be busy. */
const LOOKS_TIMEOUT_MS = 90_000;
const inBrowser = chromium ? describe : describe.skip;

const port = await freePort();
const service = useService({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
let owner: Caller;
let jane: Browser;
let program: Chromium | undefined;
let form: string;
let submission: string;
let client: number;

beforeAll(async () => {
  owner = await service().openAccount('Studio Nord', 'studio@example.com');
  const { email } = await makePerson(service(), owner);
  jane = new Browser(service());
  await jane.signIn(email);
  form = (await makeForm(owner, { name: 'Contact', webhook_url: null })).identifier;
  client = await makeClient(owner);
  await makeToken(owner);
  const file = { field: 'cv', name: 'cv ü.pdf', bytes: 'x' };
  await submit(
    multipart(
      [
        ['first_name', 'Zoë'],
        ['message', 'x'.repeat(400)],
      ],
      [file],
    ),
  );
  submission = (
    await submit(
      urlencoded([
        ['name', 'Jane'],
        ['email', 'jane@example.com'],
      ]),
    )
  ).id;
  if (chromium) program = await startBrowser();
}, LOOKS_TIMEOUT_MS);
afterAll(() => program?.close());

async function submit(sent: Parameters<typeof send>[1]): Promise<{ id: string }> {
  const { body } = await send(`${service().url}/f/${form}`, sent);
  return body as { id: string };
}

const PAGES: [string, () => string][] = [
  ['the inbox', () => '/inbox'],
  ['the forms', () => '/forms'],
  ['a new form', () => '/new-form'],
  ['a form', () => `/forms/${form}`],
  ['settings', () => `/forms/${form}/settings`],
  ['a submission', () => `/forms/${form}/submissions/${submission}`],
  ['the clients', () => '/clients'],
  ['a new client', () => '/new-client'],
  ['a client', () => `/clients/${client}`],
  ['the tokens', () => '/tokens'],
  ['a new token', () => '/new-token'],
  ['the status', () => '/status'],
];

inBrowser('Every page', () => {
  it.each(PAGES)(
    'holds in every view: %s',
    async (_, path) => {
      for (const view of VIEWS) {
        const window = await Window.open(
          program as Chromium,
          service().config.baseUrl,
          view,
          jane.cookies,
        );
        const answer = await window.page.goto(service().config.baseUrl + path());
        expect({ view, status: answer?.status() }).toEqual({ view, status: 200 });
        expect({ view, findings: await window.findings() }).toEqual({ view, findings: [] });
        await window.close();
      }
    },
    LOOKS_TIMEOUT_MS,
  );

  it(
    'of a form that waits for its first submission notices it, without script after a reload',
    async () => {
      const { identifier } = await makeForm(owner, { name: 'Waiting' });
      const view = { script: true, scheme: 'light', width: 1280 } as const;
      const window = await Window.open(
        program as Chromium,
        service().config.baseUrl,
        view,
        jane.cookies,
      );
      await window.page.goto(`${service().config.baseUrl}/forms/${identifier}`);
      await window.page.getByText('Waiting for the first submission').waitFor();

      await window.page.getByRole('button', { name: 'Send a test submission' }).click();

      await window.page.getByText('the first submission is here').waitFor();
      expect(await window.findings()).toEqual([]);
      await window.close();
    },
    LOOKS_TIMEOUT_MS,
  );
});
