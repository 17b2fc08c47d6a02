import { DAY_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { curlOn, runCurl } from '../support/curl.js';
import { elementsOf, hiddenOf, textOf } from '../support/page.js';
import { PASSWORD } from '../support/people.js';
import { useService, useOwner, useSignedIn, type FormBody } from '../support/service.js';
import { useReceiver, answers, WebhookReceiver } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const clock = useClock();
let form: FormBody;
let here: string;
const URL_FIELD = 'destination.settings.url';
const receiver = useReceiver();
const owner = useOwner(service);
const jane = useSignedIn(service, owner);
beforeEach(async () => {
  form = await owner.makeForm({ name: 'Contact', webhook_url: receiver.url });
  here = await owner.firstPath(form, 'webhook');
});
const hook = async () => (await owner.read(`/api/v1/forms/${form.identifier}/webhook`)).webhook;

/** Sends a submission and makes the calls that are due. */
function deliver(): Promise<string> {
  return service().deliver(form, { name: 'Jane' });
}

/** Sends a form of a page and follows where it leads. */
async function act(path: string, fields: Record<string, string> = {}): Promise<string> {
  const { status, headers } = await jane.post(path, fields);
  expect({ path, status }).toEqual({ path, status: 303 });
  return (await jane.get(headers.location ?? '')).text;
}

const urlOn = (page: string) =>
  elementsOf(page).find(({ attributes }) => attributes.name === 'destination.settings.url')?.attributes.value;

/** The text of a page as it is read, in one line. */
const read = (page: string) =>
  textOf(page, 'main')
    .join()
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ');

/** The ids of the submissions to which the calls of a page lead, in order. */
const listed = (page: string) =>
  Array.from(page.matchAll(/<a [^>]*href="\/inbox\/[0-9a-f]{16}\/([^"?]+)"/g), ([, id]) => id);

describe('The address of a webhook', () => {
  it('is changed and removed on its page', async () => {
    expect(urlOn((await jane.get(here)).text)).toBe(receiver.url);

    const changed = await act(here, { [URL_FIELD]: ' https://example.com/other ' });
    expect(changed).toContain('Changes saved');
    expect(await hook()).toMatchObject({ url: 'https://example.com/other', state: 'enabled' });

    const removed = await act(here, { [URL_FIELD]: '' });
    expect(urlOn(removed)).toBe('');
    expect(removed).not.toContain(`${here}/test`);
    expect(await hook()).toMatchObject({ url: null, state: 'unset' });
  });
});

describe('A webhook', () => {
  it('is paused and resumed by hand, with or without what it missed', async () => {
    expect(read((await jane.get(here)).text)).toContain('Webhook 127.0.0.1');

    const off = read(await act(`${here}/pause`));
    expect(off).toContain('Paused since');
    expect((await hook()).state).toBe('disabled');
    const missed = await deliver();

    expect(read(await act(`${here}/resume`))).not.toContain('Paused since');
    await service().sendDue();
    expect((await owner.webhookCallOf(form, missed)).state).toBe('failed');
    await act(`${here}/pause`);
    await act(`${here}/resume`, { resend: 'true' });
    await service().sendDue();
    expect((await hook()).state).toBe('enabled');
    expect((await owner.webhookCallOf(form, missed)).state).toBe('delivered');
  });

  it('that fails says since when, and then that it was paused for that; Missed submissions are being sent', async () => {
    receiver.behaviour = answers(500, 'down for now');
    const id = await deliver();
    const { text: submission } = await jane.get(`/inbox/${form.identifier}/${id}`);
    expect(read(submission)).toContain('Rejected (HTTP 500) down for now');
    expect(read((await jane.get(here)).text)).toMatch(
      /Every call has failed since .* If none succeeds, we pause it on/,
    );
    clock.forward(5 * DAY_MS);
    await jane.signIn((await service().makePerson(owner)).email);
    await deliver();
    const missed = await deliver();

    const { text } = await jane.get(here);
    expect(read(text)).toMatch(/Every call failed for five days, so we paused it\. Since/);
    receiver.behaviour = answers(200);
    expect(await act(`${here}/resume`, { resend: 'true' })).toContain('Missed submissions are being sent');
    await service().sendDue();

    expect((await owner.webhookCallOf(form, missed)).state).toBe('delivered');
  });

  it('shows what its receiver answers to a test, or why there was no answer', async () => {
    receiver.behaviour = answers(202, 'thank you');
    const arrived = await jane.post(`${here}/test`);
    expect(arrived.status).toBe(200);
    expect(read(arrived.text)).toMatch(/Test delivered Status 202, \d+ ms .*Beginning of the response: thank you/);
    expect(receiver.last.body).toContain('Jane Doe');

    receiver.behaviour = answers(500, 'broken');
    expect(read((await jane.post(`${here}/test`)).text)).toMatch(/Test failed Rejected \(HTTP 500\).*broken/);
    receiver.behaviour = answers(302, '', { location: 'https://example.com/' });
    expect(read((await jane.post(`${here}/test`)).text)).toMatch(
      /Rejected: the URL redirects.*302, moved to https:\/\/example.com\//,
    );

    const gone = await WebhookReceiver.start();
    await act(here, { [URL_FIELD]: gone.url });
    await gone.close();
    expect(read((await jane.post(`${here}/test`)).text)).toMatch(/The URL could not be reached\..*ECONNREFUSED/);
    const inside = await jane.post(here, { [URL_FIELD]: 'http://10.0.0.1/' });
    expect(inside.status).toBe(422);
    expect(read(inside.text)).toMatch(/Leads to 10\.0\.0\.1, .* WEBHOOK_ALLOWED_NETWORKS/);
  });
});

describe('The secret of a webhook', () => {
  it('is shown after a fresh proof and nowhere else', async () => {
    const { secret } = await hook();
    expect((await jane.get(here)).text).not.toContain('whsec_');
    clock.forward(11 * MINUTE_MS);

    const asked = await jane.get(`${here}/secret`);
    expect(asked.status).toBe(403);
    expect(asked.text).not.toContain('whsec_');
    const proof = { ...hiddenOf(asked.text), proof_password: PASSWORD };
    const proved = await jane.post('/confirm', proof);

    expect([proved.status, proved.headers.location]).toEqual([303, `${here}/secret`]);
    expect((await jane.get(`${here}/secret`)).text).toContain(secret);
  });

  it('is made anew; until when the former one signs too is said', async () => {
    const { secret: former } = await hook();
    clock.forward(11 * MINUTE_MS);
    expect((await jane.post(`${here}/secret`)).status).toBe(403);
    expect((await hook()).secret).toBe(former);
    await jane.post('/confirm', { proof_to: here, proof_password: PASSWORD });

    const { text } = await jane.post(`${here}/secret`);

    const { secret, previous_secret_until: until } = await hook();
    expect(secret).not.toBe(former);
    expect(textOf(text, 'code')).toContain(secret);
    for (const page of [text, (await jane.get(here)).text]) {
      expect(page).toContain('Old secret valid until');
      expect(page).toContain(`datetime="${until ?? ''}"`);
    }
    const { entries } = await owner.read('/api/v1/audit?action=destination.secret_renewed');
    expect(entries.map(({ actor }) => actor.kind)).toEqual(['person']);
    clock.forward(DAY_MS);
    await jane.signIn((await service().makePerson(owner)).email);
    expect((await jane.get(here)).text).not.toContain('Old secret');
  });
});

describe('The calls on the page of a webhook', () => {
  it('lead to their submissions, one state at a time, and are sent again from there', async () => {
    const delivered = await deliver();
    receiver.behaviour = answers(410);
    const failed = await deliver();
    receiver.behaviour = answers(503);
    const waiting = await deliver();

    const { text } = await jane.get(here);
    expect(listed(text)).toEqual([waiting, failed, delivered]);
    expect(read(text)).toMatch(
      /retrying Rejected \(HTTP 503\) 503 \d+ ms 1 \d.* failed Rejected: the receiver wants no more calls \(HTTP 410\) 410 /,
    );
    expect(listed((await jane.get(`${here}?state=failed`)).text)).toEqual([failed]);
    const pending = (await jane.get(`${here}?state=pending`)).text;
    expect(listed(pending)).toEqual([waiting]);
    const byCurl = (await runCurl(owner, curlOn(pending))) as { deliveries: object[] };
    expect(byCurl.deliveries).toEqual([expect.objectContaining({ submission_id: waiting })]);

    receiver.behaviour = answers(200);
    const { id } = await owner.webhookCallOf(form, failed);
    const path = `/inbox/${form.identifier}/${failed}/deliveries/${id}/attempts`;
    expect(text).toContain(`action="${path}"`);
    expect(await act(path, { to: here })).toContain('Sent again.');
    expect(await owner.webhookCallOf(form, failed)).toMatchObject({
      state: 'delivered',
      attempts: [{ outcome: 'gone' }, { trigger: 'manual', outcome: 'accepted' }],
    });
  });
});

describe('Calls that were given up', () => {
  const countOf = async (query = '') => {
    const path = `/api/v1/forms/${form.identifier}/redeliveries?kind=webhook${query}` as const;
    return (await owner.get(path).expect(200)).body;
  };

  it('are counted before they are sent again, in the API and on a page', async () => {
    expect(await countOf()).toEqual({ count: 0, oldest_at: null, newest_at: null });
    expect((await jane.get(here)).text).not.toContain(`${here}/retry`);
    receiver.behaviour = answers(410);
    const failed = [await deliver(), await deliver(), await deliver()];
    receiver.behaviour = answers(503);
    const waiting = await deliver();
    const counted = await countOf();
    expect(counted).toMatchObject({ count: 3, oldest_at: expect.any(String) });
    expect(await countOf(`&from=${String(counted.newest_at)}`)).toMatchObject({ count: 1 });
    expect(await countOf('&to=2020-01-31')).toMatchObject({ count: 0 });

    expect(read((await jane.get(here)).text)).toContain('Retry the 3 that failed');
    const calls = receiver.calls.length;
    receiver.behaviour = answers(200);
    expect(await act(`${here}/retry`)).toContain('Retrying.');
    await service().sendDue();
    expect(receiver.calls).toHaveLength(calls + 3);
    for (const id of failed) {
      expect((await owner.webhookCallOf(form, id)).state).toBe('delivered');
    }
    expect((await owner.webhookCallOf(form, waiting)).attempts).toHaveLength(1);
    const { body } = await owner.get('/api/v1/audit?action=deliveries.retried').expect(200);
    expect(body.entries).toMatchObject([{ details: { count: 3 } }]);
  });

  it('are offered to be sent again where there are some, to a webhook that is not paused', async () => {
    const offered = async () => {
      const { text } = await jane.get(here);
      return [text.includes(`${here}/retry`), text.includes('/attempts')];
    };
    await deliver();
    expect(await offered()).toEqual([false, true]);
    receiver.behaviour = answers(410);
    const failed = await deliver();
    expect(await offered()).toEqual([true, true]);

    await act(`${here}/pause`);

    expect(await offered()).toEqual([false, false]);
    const buttons = async () =>
      (await jane.get(`/inbox/${form.identifier}/${failed}`)).text.split('/attempts"').length - 1;
    expect(await buttons()).toBe(0);
    await act(`${here}/resume`);
    expect(await buttons()).toBe(1);
  });
});
