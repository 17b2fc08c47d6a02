import { FORM_PLACES } from '../../src/web/form-head/form-head.js';
import { curlOn, runCurl } from '../support/curl.js';
import type { Browser } from '../support/people.js';
import { elementsOf, textOf } from '../support/page.js';
import { saveSettings, valuesOn } from '../support/page-forms.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';
import { send, urlencoded } from '../support/submit.js';

/** No worker runs: deliveries stay in the outbox. */
const service = useService({ WORKERS: 'off' });
let form: FormBody;
const owner = useOwner(service, 'Studio Nord', 'studio@example.com');
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact' });
});

async function submit(values: Record<string, string>, to = form.identifier): Promise<string> {
  const { body } = await send(`${service().url}/f/${to}`, urlencoded(Object.entries(values)));
  return String(body.id);
}

/** Sends a form of a page and follows where it leads. */
async function act(browser: Browser, path: string, fields: Record<string, string> = {}) {
  const sent = await browser.post(path, fields);
  expect({ path, status: sent.status, text: sent.status === 303 ? '' : sent.text }).toEqual({
    path,
    status: 303,
    text: '',
  });
  return browser.get(sent.headers.location ?? '');
}

const focused = (page: string) => elementsOf(page).find(({ attributes }) => 'autofocus' in attributes)?.attributes.name;

describe('A form', () => {
  it('is created by its name, and its page has the address to put into a page', async () => {
    const { text } = await act(jane, '/forms', { 'form.name': 'Orders' });

    expect(text).toContain('Orders');
    expect(text).toMatch(/\/f\/[0-9a-f]{16}/);
    expect(text).toContain('Waiting for your first submission');
    expect((await owner.read('/api/v1/forms')).forms.map(({ name }) => name)).toContain('Orders');
  });

  it('without a name is asked for again, with the field in focus', async () => {
    const { status, text } = await jane.post('/forms', { 'form.name': '' });

    expect({ status, focused: focused(text) }).toEqual({ status: 422, focused: 'form.name' });
  });

  it('is changed by its settings, all in one; what cannot be is said beside its field, and nothing is lost', async () => {
    const typed = { submission_text: 'Merci', redirect_url: 'nowhere', retention_days: '1.5' };
    const refused = await saveSettings(jane, form, typed);
    expect({ status: refused.status, shown: valuesOn(refused.text) }).toMatchObject({
      status: 422,
      shown: {
        'settings.submission_text': 'Merci',
        'settings.redirect_url': 'nowhere',
        'settings.retention_days': '1.5',
      },
    });
    expect(focused(refused.text)).toBe('settings.redirect_url');
    const path = `/api/v1/forms/${form.identifier}` as const;
    expect((await owner.read(path)).submission_text).not.toBe('Merci');

    const mended = { redirect_url: 'https://example.com/', retention_days: ' 90 ' };
    expect((await saveSettings(jane, form, { ...typed, ...mended })).status).toBe(303);
    expect(await owner.read(path)).toMatchObject({
      submission_text: 'Merci',
      redirect_url: 'https://example.com/',
      notify_owner_on_submission: true,
    });
    expect(await owner.read(`${path}/retention`)).toEqual({ days: 90 });
    await saveSettings(jane, form, { redirect_url: '', retention_days: '' });
    expect((await owner.read(path)).redirect_url).toBeNull();
    expect(await owner.read(`${path}/retention`)).toEqual({ days: null });
  });

  it('keeps what somebody else saved meanwhile, and says where both changed the same', async () => {
    const path = `/api/v1/forms/${form.identifier}` as const;
    const page = `/forms/${form.identifier}/settings`;
    const shown = valuesOn((await jane.get(page)).text);
    await owner.patch(path, { form: { name: 'Kontakt', bg_color: 'red' } }).expect(200);

    const typed = { ...shown, 'settings.bg_color': 'blue', 'settings.text_color': 'black' };
    const crossed = await jane.post(page, typed);
    expect({ status: crossed.status, focused: focused(crossed.text) }).toEqual({
      status: 422,
      focused: 'settings.bg_color',
    });
    expect(crossed.text).toContain('changed by somebody else meanwhile, to “red”');
    expect(await owner.read(path)).toMatchObject({ bg_color: 'red', text_color: null });

    expect((await jane.post(page, valuesOn(crossed.text))).status).toBe(303);
    expect(await owner.read(path)).toMatchObject({ ...{ name: 'Kontakt', bg_color: 'blue', text_color: 'black' } });
  });

  it('keeps its other settings when a sheet of notifications is saved', async () => {
    const path = `/api/v1/forms/${form.identifier}` as const;
    const settings = {
      ...{ name: 'Contact', submission_text: 'Merci', redirect_url: 'https://example.com/' },
      ...{ notify_owner_on_submission: true, notify_owner_emails: 'ann@example.com' },
      ...{ webhook_url: 'https://example.com/hook', whitelisted_domains: 'example.com' },
      ...{ notify_submitter: true, notify_submitter_from_name: 'Ann' },
      ...{ notify_submitter_subject: 'Hi', notify_submitter_body: 'Hello' },
    };
    const sheets = {
      team: { notify_owner_on_submission: false, notify_owner_emails: null },
      visitor: {
        ...{ notify_submitter: false, notify_submitter_body: null },
        ...{ notify_submitter_from_name: null, notify_submitter_subject: null },
      },
      webhook: { webhook_url: null },
    };
    for (const [role, changed] of Object.entries(sheets)) {
      await owner.patch(path, { form: settings }).expect(200);
      // Nothing is sent: all fields of the sheet are empty, and no box is ticked.
      await act(jane, await owner.firstPath(form, role));
      const { body } = await owner.get(path).expect(200);
      expect({ role, body }).toMatchObject({ role, body: { ...settings, ...changed } });
    }
  });

  it('has the same four tabs on each of its pages, of which one is the present page', async () => {
    await submit({ name: 'Zoë' });
    const others = { '': 'Inbox', '/setup': 'Setup', '/aliases': 'Setup', '/import': 'Setup' };
    const tabOf = (path: string) =>
      path === '/activity' ? 'Activity' : ((others as Record<string, string>)[path] ?? 'Settings');
    const paths = new Set([...Object.keys(others), ...FORM_PLACES.map(({ path }) => path)]);
    paths.delete('/submissions/export');
    for (const path of [...paths, '/new-destination']) {
      const { text } = await jane.get(`/forms/${form.identifier}${path}`);
      const [, tabs = ''] = /<nav class="tabs" aria-label="Pages of this form">(.*?)<\/nav>/.exec(text) ?? [];
      expect({ path, tabs: tabs.match(/<a /g)?.length }).toEqual({ path, tabs: 4 });
      expect({ path, now: /aria-current="page">([^<]*)/.exec(tabs)?.[1] }).toEqual({ path, now: tabOf(path) });
      expect(text).toContain(`/f/${form.identifier}</code>`);
    }
  });

  it('says in its head whether it takes submissions, and begins with its setup', async () => {
    const head = async () => {
      const { text } = await jane.get(`/forms/${form.identifier}`);
      return textOf(text.replace(/<(?:time|span class="dot)[^>]*>|<\/time>/g, ''), 'span').join(' ');
    };
    expect(await head()).toContain('No submissions yet');
    expect((await jane.get(`/forms/${form.identifier}/setup`)).text).toContain(
      'Email that arrives</span> <a href="/forms/',
    );
    expect((await jane.get(`/forms/${form.identifier}`)).text).toContain('/setup" aria-current="page"');
    await submit({ name: 'Zoë' });
    expect(await head()).toContain('Receiving, last seconds ago');
    await owner.put(`/api/v1/forms/${form.identifier}/intake`, { intake: { paused: true } }).expect(200);
    expect((await jane.get(`/forms/${form.identifier}`)).text).toContain('>Paused</a>');
  });

  it('is duplicated with its settings, its retention and its attachment, without its submissions', async () => {
    await owner.patch(`/api/v1/forms/${form.identifier}`, { form: { bg_color: '#fff' } });
    await owner.put(`/api/v1/forms/${form.identifier}/retention`, { days: 30 }).expect(200);
    const attachment = { name: 'terms.pdf', content: Buffer.from('%PDF-1').toString('base64') };
    const file = 'visitor-mail/attachment';
    await owner.put(`/api/v1/forms/${form.identifier}/${file}`, { attachment }).expect(200);
    await submit({ name: 'Zoë' });

    await act(jane, `/forms/${form.identifier}/duplicates`);

    const { body } = await owner.get('/api/v1/forms').expect(200);
    const copy = body.forms.find(({ name }) => name === 'Copy of Contact');
    const shown = await owner.get(`/api/v1/forms/${copy?.identifier ?? ''}`).expect(200);
    expect(shown.body).toMatchObject({ bg_color: '#fff', submission_count: 0 });
    expect(copy?.identifier).not.toBe(form.identifier);
    const kept = await owner.get(`/api/v1/forms/${copy?.identifier ?? ''}/retention`);
    expect(kept.body).toEqual({ days: 30 });
    const copied = await owner.get(`/api/v1/forms/${copy?.identifier ?? ''}/${file}`);
    expect(copied.body).toMatchObject({ attachment });
  });

  it('is deleted once its name is typed, and not before', async () => {
    const path = `/forms/${form.identifier}/delete`;

    expect((await jane.post(path, { typed_name: 'Kontakt' })).status).toBe(422);
    await owner.get(`/api/v1/forms/${form.identifier}`).expect(200);
    await act(jane, path, { typed_name: 'Contact' });

    await owner.get(`/api/v1/forms/${form.identifier}`).expect(404);
  });

  it('that tells nobody says so on its page, in the list and above every page, with the way to mend it', async () => {
    await act(jane, await owner.firstPath(form, 'team'));
    const settings = `/forms/${form.identifier}/settings#notifications`;

    for (const path of ['/forms', `/forms/${form.identifier}`, '/status']) {
      const { text } = await jane.get(path);
      expect({ path, text }).toEqual({
        path,
        text: expect.stringContaining('Nobody is notified of submissions') as unknown,
      });
      expect(text).toContain(`href="${settings}"`);
    }
    expect((await jane.get('/inbox')).text).toContain('Nobody is notified (1 form)');
    await owner.put(`/api/v1/forms/${form.identifier}/intake`, { intake: { paused: true } }).expect(200);

    const given = { 'destination.settings.url': 'https://example.com/hook' };
    await act(jane, await owner.firstPath(form, 'webhook'), given);
    expect((await jane.get('/inbox')).text).not.toContain('Nobody is notified');
    // That a form is paused is a state, which its page says.
    const state = `href="/forms/${form.identifier}/settings#keep">Paused<`;
    expect((await jane.get(`/forms/${form.identifier}`)).text).toContain(state);
    expect((await jane.get('/status')).text).not.toContain('Paused');
  });

  it('whose mails go to a folder leads to the settings that mend it, ready to copy', async () => {
    const { text: ofForm } = await jane.get(`/forms/${form.identifier}`);
    expect(ofForm).toContain('Email is not set up');
    expect(ofForm).toContain('href="/status"');

    const copyable = textOf((await jane.get('/status')).text, 'code');
    expect(copyable.find((each) => each.startsWith('SMTP_URL=smtp://'))).toContain('MAIL_FROM=');
    expect(copyable).toContainEqual(expect.stringContaining('doctor --to '));
  });

  it('whose webhook is paused leads to where it is resumed', async () => {
    const here = `/forms/${form.identifier}`;
    await owner.patch(`/api/v1${here}`, { form: { webhook_url: 'https://example.com/hook' } });
    await owner.patch(`/api/v1${here}/webhook`, { webhook: { enabled: false } }).expect(200);
    expect((await jane.get(here)).text).toContain(`href="${here}/webhook"`);

    const path = await owner.firstPath(form, 'webhook');
    expect((await jane.get(`${here}/webhook`)).headers.location).toBe(path);
    const { text } = await act(jane, `${path}/resume`);
    expect(text).toContain('Destination resumed');
    expect((await jane.get(here)).text).not.toContain(`${here}/webhook`);
  });
});

describe('The command that a list gives to be copied', () => {
  const idsOf = (text: string) => Array.from(text.matchAll(/href="\/inbox\/[0-9a-f]{16}\/([^"?]+)/g), ([, id]) => id);

  async function idsByCurl(page: string): Promise<string[]> {
    const body = await runCurl(owner, curlOn(page));
    return (body as { submissions: { id: string }[] }).submissions.map(({ id }) => id);
  }

  it('gets the same submissions from the API, whatever the filter is', async () => {
    const other = await owner.makeForm({ name: 'Orders' });
    const first = await submit({ name: 'Zoë', message: 'It\'s a $HOME `for` \\ "two"' });
    const second = await submit({ name: 'Omar', message: 'A blue car' }, other.identifier);
    const third = await submit({ name: 'Ann', _gotcha: 'a bot' });

    for (const [line, ids] of [
      [null, [second, first]],
      ['', [second, first]],
      ['is:spam', [third]],
      [`form:${form.identifier}`, [first]],
      ['form:orders blue', [second]],
      ['name:Zoë', [first]],
      ["it's a $HOME `for` \\", [first]],
      ['"a $home"', [first]],
      ['nothing of that', []],
    ] as const) {
      const query = line === null ? '' : `?${new URLSearchParams({ q: line }).toString()}`;
      const { text } = await jane.get(`/inbox${query}`);
      expect({ line, ids: idsOf(text) }).toEqual({ line, ids });
      expect({ line, ids: await idsByCurl(text) }).toEqual({ line, ids });
    }
    const { text } = await jane.get(`/forms/${form.identifier}`);
    expect(await idsByCurl(text)).toEqual([first]);
  });

  it('gets the same page of a long list', async () => {
    for (let n = 0; n < 53; n++) await submit({ n: String(n) });
    const { text: newest } = await jane.get('/inbox');
    const next = elementsOf(newest).find(({ attributes }) => attributes.rel === 'next');
    const { text: older } = await jane.get(next?.attributes.href ?? '');

    expect(idsOf(older)).toHaveLength(3);
    expect(await idsByCurl(newest)).toEqual(idsOf(newest));
    expect(await idsByCurl(older)).toEqual(idsOf(older));
  });

  it('is not there for what the API would not take', async () => {
    await submit({ name: 'Zoë' });

    for (const line of ['from:someday', 'x'.repeat(256)]) {
      expect(curlOn((await jane.get(`/inbox?q=${line}`)).text)).toBeUndefined();
    }
  });

  it('gets the same entries of the audit log', async () => {
    const rename = (name: string) => owner.patch(`/api/v1/forms/${form.identifier}`, { form: { name } }).expect(200);
    await rename('Kontakt');
    await rename('Contact');
    const today = new Date().toISOString().slice(0, 10);

    for (const query of [
      '?action=form.changed&actor=token',
      `?target=form:${form.identifier}&from=${today}`,
      `?to=2020-01-31`,
    ]) {
      const { text } = await jane.get(`/audit${query}`);
      const { entries } = (await runCurl(owner, curlOn(text))) as { entries: { at: string }[] };
      const shown = elementsOf(text).filter(({ name }) => name === 'time');
      expect(entries.map(({ at }) => at)).toEqual(shown.map((each) => each.attributes.datetime));
    }
  });
});

describe('A submission', () => {
  const here = (id: string) => `/inbox/${form.identifier}/${id}`;

  it('shows every value, and answers the visitor by mail with them quoted', async () => {
    const id = await submit({ name: 'Zoë', email: 'zoe@example.com', message: 'Two\nlines & more' });

    const { text } = await jane.get(here(id));

    expect(text).toMatch(/Two\r?\nlines &amp; more/);
    const reply = elementsOf(text).find(({ attributes }) => attributes.href?.startsWith('mailto:'));
    const link = new URL(reply?.attributes.href ?? '');
    expect(link.pathname).toBe('zoe@example.com');
    expect(decodeURIComponent(link.search)).toContain('> message: Two\r\n> lines & more');
  });

  it('shows who wrote by the address read from what was typed', async () => {
    const id = await submit({ name: 'Zoë', email: 'Zoë <ZOE＠example.com>,' });
    const { text } = await jane.get(here(id));
    expect(text).toContain('<p class="byline"><bdi>ZOE@example.com</bdi>');
    expect(text).toContain('href="/visitors/zoe%40example.com"');
  });

  it('goes to spam and back; what would be sent then is said before', async () => {
    const id = await submit({ name: 'Zoë', _gotcha: 'a bot' });
    const page = (await jane.get(here(id))).text;
    expect(page).toContain('Email to your team (studio@example.com)');

    const back = await act(jane, `${here(id)}/marks`, { spam: 'false' });
    expect(back.text).toContain('Moved to inbox');
    expect(await owner.deliveriesOf(form, id)).toHaveLength(1);

    // What was still waiting is stopped, so it is owed again.
    await act(jane, `${here(id)}/marks`, { spam: 'true' });
    expect((await jane.get(here(id))).text).toContain('Email to your team (studio@example.com)');
    await act(jane, `${here(id)}/marks`, { spam: 'false' });
    expect(await owner.deliveriesOf(form, id)).toHaveLength(1);
  });

  it('is erased for good from the trash', async () => {
    const id = await submit({ name: 'Zoë' });
    expect((await jane.get(here(id))).text).not.toContain(`${here(id)}/erase`);
    const trashed = await act(jane, `${here(id)}/marks`, { trash: 'true' });
    expect(trashed.text).toContain(`action="${here(id)}/erase"`);

    await act(jane, `${here(id)}/erase`);

    expect((await jane.get(here(id))).status).toBe(404);
  });

  it('shows what became of its mail, and has it tried again now', async () => {
    const id = await submit({ name: 'Zoë' });
    const [delivery] = await owner.deliveriesOf(form, id);
    expect((await jane.get(here(id))).text).toContain('Email to your team: retrying');

    await act(jane, `${here(id)}/deliveries/${delivery?.id ?? ''}/attempts`);

    expect((await jane.get(here(id))).text).toMatch(/Email to your team: (in a summary|saved)/);
  });
});

describe('What one visitor sent', () => {
  const ANNA = '/visitors/anna%40example.com';

  it('is listed over all forms, found from a submission and by the address', async () => {
    const other = await owner.makeForm({ name: 'Orders' });
    const id = await submit({ name: 'Anna Weiß', email: 'Anna@example.com' });
    const ordered = await submit({ email: 'anna@example.com', order: 'Cake' }, other.identifier);
    await submit({ email: 'bob@example.com', text: 'Hello' });

    expect((await jane.get(`/inbox/${form.identifier}/${id}`)).text).toContain(`href="${ANNA}"`);
    const page = await jane.get(ANNA);
    expect(page.text).toContain(id);
    expect(page.text).toContain(ordered);
    expect(page.text).not.toContain('bob@example.com');
    const found = await jane.get('/visitors?email=ANNA%40example.com');
    expect([found.status, found.headers.location]).toEqual([303, ANNA]);
  });

  it('says where nothing is, and what is no address', async () => {
    for (const [email, message] of [
      ['nobody@example.com', 'No submissions from nobody@example.com.'],
      ['anna', 'Enter an email address'],
    ]) {
      const { status, text } = await jane.get(`/visitors?email=${encodeURIComponent(email ?? '')}`);
      expect({ status, focused: focused(text) }).toEqual({ status: 422, focused: 'email' });
      expect(text).toContain(message);
    }
  });

  it('is erased once the address was typed, with a receipt', async () => {
    const id = await submit({ email: 'anna@example.com' });
    expect((await jane.get(`${ANNA}/erase`)).text).toContain('Contact');

    const wrong = await jane.post(`${ANNA}/erase`, { typed_email: 'bob@example.com' });
    expect([wrong.status, focused(wrong.text)]).toEqual([422, 'typed_email']);
    expect((await jane.get(`/inbox/${form.identifier}/${id}`)).status).toBe(200);
    const done = await act(jane, `${ANNA}/erase`, { typed_email: ' Anna@Example.com' });

    expect((await jane.get(`/inbox/${form.identifier}/${id}`)).status).toBe(404);
    expect((await jane.get(ANNA)).status).toBe(404);
    const receipt = /<code>([-\da-f]{36})<\/code>/.exec(done.text)?.[1] ?? 'none';
    expect(JSON.stringify((await owner.get('/api/v1/audit')).body)).toContain(receipt);
    expect((await jane.get(`/visitors?receipt=${receipt}`)).text).not.toContain(receipt);
  });
});

describe('A button that cannot do what it says', () => {
  it('of a list says what is missing, and not that it was done', async () => {
    const id = await submit({ name: 'Zoë' });

    for (const [path, fields, said] of [
      ['/inbox/bulk', { done: 'true' }, 'no submission is selected'],
      ['/inbox/bulk', { id, tag: 'true', add_tag: ' ' }, 'the tag is missing'],
      ['/jobs', { q: '' }, 'the tag is missing'],
    ] as const) {
      const { text } = await act(jane, path, fields);
      const [notice] = elementsOf(text).filter(({ attributes }) => attributes.role === 'alert');
      expect({ said, class: notice?.attributes.class }).toEqual({ said, class: 'notice warn flash' });
      expect(text).toContain(said);
    }
    expect((await act(jane, '/inbox/bulk', { id, done: 'true' })).text).toContain('notice good');
  });

  it('is not there: "Mark all as read" is for lists of all that is new', async () => {
    await submit({ name: 'Zoë' });
    const isOffered = async (line: string) =>
      (await jane.get(`/inbox?${new URLSearchParams({ q: line }).toString()}`)).text.includes('action="/inbox/read"');

    for (const line of ['is:new', '', `form:${form.identifier}`]) {
      expect({ line, is: await isOffered(line) }).toEqual({ line, is: true });
    }
    for (const line of ['zoë', 'is:spam', 'is:trash', 'nothing of that']) {
      expect({ line, is: await isOffered(line) }).toEqual({ line, is: false });
    }
    await act(jane, '/inbox/read', { q: '' });
    expect(await isOffered('')).toBe(false);
  });
});

describe('Clients and tokens', () => {
  it('A client is added, sees other forms, and is deleted', async () => {
    const added = { 'client.name': 'Ann', 'client.email': 'ann@example.com' };
    await act(jane, '/clients', { ...added, 'client.form_ids': String(form.id) });
    const list = (await jane.get('/clients')).text;
    expect(list).toContain('ann@example.com');
    const path = /href="(\/clients\/\d+)"/.exec(list)?.[1] ?? '';
    const forms = async () => (await jane.get(`${path}/forms`)).text;
    expect(await forms()).toContain(`Remove ${form.name}`);
    await act(jane, `${path}/forms/remove`, { 'client.form_ids': String(form.id) });
    expect(await forms()).toContain('This client sees no forms yet.');
    await act(jane, `${path}/delete`);

    expect((await jane.get(path)).status).toBe(404);
  });

  it('A token is shown once, works, and no longer once it is revoked', async () => {
    const { status, text } = await jane.post('/tokens', { 'token.name': 'Export' });
    const secret = /fcs_[A-Za-z0-9_]+/.exec(text)?.[0] ?? '';
    expect(status).toBe(200);
    await service().as(secret).get('/api/v1/forms').expect(200);
    const list = await jane.get('/tokens');
    expect(list.text).not.toContain(secret);
    const row = /Export[^]*?action="(\/tokens\/\d+\/revoke)"/.exec(list.text)?.[1] ?? '';

    await act(jane, row);

    await service().as(secret).get('/api/v1/forms').expect(401);
  });
});

describe('The page that connects an agent', () => {
  it.each([
    ['setup', 403],
    ['inbox', 200],
  ])('gives it a token of the kind that was chosen, and says what to paste: %s', async (kind, status) => {
    const form = await owner.makeForm();

    const { text } = await jane.post('/tokens/agent', { 'token.name': 'Agent', kind });

    const url = `${service().config.baseUrl}/mcp`;
    expect(text).toContain(`claude mcp add --transport http forms ${url}`);
    const agent = service().as(/fcs_[A-Za-z0-9]+/.exec(text)?.[0] ?? '');
    await agent.put('/api/v1/forms', { form: { name: 'By an agent' } }).expect(201);
    await agent.get(`/api/v1/forms/${form.identifier}/submissions`).expect(status);
    await agent.get('/api/v1/tokens').expect(403);
  });

  it('is linked from a new form for those alone who can open it', async () => {
    const editor = await service().makeBrowser(owner, { clientId: null, role: 'editor' });
    const link = async (browser: Browser) =>
      (await browser.get(`/forms/${form.identifier}`)).text.includes('"/tokens/agent"');

    expect([await link(jane), await link(editor)]).toEqual([true, false]);
    expect((await editor.get('/tokens/agent')).status).toBe(403);
  });

  it('keeps what was typed when it is refused', async () => {
    const answer = await jane.post('/tokens/agent', {
      'token.name': '',
      kind: 'inbox',
      'token.expires_at': '2020-01-01',
    });

    expect(answer.status).toBe(422);
    expect(answer.text).toContain('<option value="inbox" selected');
  });
});

describe('Who may do less', () => {
  const CHANGES = [
    ...['/new-form', '/settings', '/new-field', '/spam'],
    ...['/marks', '/erase', '/attempts', '/revoke', '/delete'],
  ];

  it('sees no button for more: a viewer', async () => {
    const viewer = await service().makeBrowser(owner, { clientId: null, role: 'viewer' });
    const id = await submit({ name: 'Zoë', _gotcha: 'a bot' });
    const here = `/inbox/${form.identifier}/${id}`;

    for (const path of ['/inbox', here, '/forms', `/forms/${form.identifier}`, '/clients', '/status']) {
      const { status, text } = await viewer.get(path);
      expect({ path, status }).toEqual({ path, status: 200 });
      const links = elementsOf(text).map(({ attributes }) => attributes.href ?? attributes.action ?? '');
      const found = links.filter((link) => CHANGES.some((change) => link.slice(1).includes(change)));
      expect({ path, found }).toEqual({ path, found: [] });
    }
  });

  it('is told of warnings as far as there is something to do', async () => {
    const silent = await owner.makeForm({ notify_owner_on_submission: false });
    await submit({ name: 'Zoë' }, silent.identifier);
    const limits = { clientId: await owner.makeClient({ form_ids: [silent.id] }) } as const;
    const maker = await owner.makeClient({ form_ids: [silent.id], can_create_forms: true });
    const own = await service()
      .as(await owner.makeClientToken(maker))
      .makeForm({ notify_owner_on_submission: false });
    await submit({ name: 'Zoë' }, own.identifier);
    const ownPaths = ['/forms', `/forms/${own.identifier}`];
    const who = {
      viewer: await service().makeBrowser(owner, { clientId: null, role: 'viewer' }),
      client: await service().makeBrowser(owner, { ...limits, actions: ['see'] }),
      maker: await service().makeBrowser(owner, { clientId: maker, actions: ['see'] }),
    };
    const saying = async (name: keyof typeof who, text: string, paths: string[]) => {
      const pages = await Promise.all(paths.map((path) => who[name].get(path)));
      return pages.map((page) => page.text.includes(text));
    };
    const paths = ['/forms', `/forms/${silent.identifier}`];
    const warning = 'Nobody is notified of submissions';

    expect(await saying('viewer', warning, [...paths, '/status'])).toEqual([true, true, true]);
    expect(await saying('viewer', 'Ask an owner or an editor', [...paths, '/status'])).toEqual([true, true, true]);
    expect(await saying('maker', warning, [...ownPaths, '/status'])).toEqual([true, true, true]);
    expect(await saying('maker', `${own.identifier}/settings#notifications"`, ownPaths)).toEqual([true, true]);
    expect(await saying('maker', warning, [`/forms/${silent.identifier}`])).toEqual([false]);
    expect(await saying('maker', `${silent.identifier}/settings#notifications"`, paths)).toEqual([false, false]);
    for (const text of [warning, 'Nobody is notified', '/status']) {
      expect({ text, said: await saying('client', text, [...paths, '/inbox']) }).toEqual({
        text,
        said: [false, false, false],
      });
    }
    expect((await who.client.get('/status')).status).toBe(403);
  });

  it('gets the command for the API with the way to a token: members alone', async () => {
    await submit({ name: 'Zoë' });
    const limits = { clientId: await owner.makeClient({ form_ids: [form.id] }) } as const;
    const ann = await service().makeBrowser(owner, { ...limits, actions: ['see', 'export'] });
    const viewer = await service().makeBrowser(owner, { clientId: null, role: 'viewer' });

    for (const path of ['/inbox', `/forms/${form.identifier}`]) {
      expect((await ann.get(path)).text).not.toContain("curl '");
      const { text } = await viewer.get(path);
      expect(curlOn(text)).toBeDefined();
      expect(text).toContain('Ask an owner to create an API token for you');
      expect((await jane.get(path)).text).toContain('<a href="/tokens">Manage API tokens</a>');
    }
  });
});
