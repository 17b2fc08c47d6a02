import { beforeEach, describe, expect, it } from '@jest/globals';
import { TaskRunner } from '../src/platform/background/task-runner.js';
import { DAY_MS, MINUTE_MS, useClock } from './support/clock.js';
import { deliveriesOf, deliveriesPath, sendDue } from './support/deliveries.js';
import { makeForm, type FormBody } from './support/make.js';
import { refusal } from './support/refusal.js';
import { useService, type Caller } from './support/service.js';
import { useMailServer } from './support/smtp.js';
import { listed, pathOf, submit } from './support/submissions.js';

const server = useMailServer();
const service = useService(() => ({
  WORKERS: 'off',
  SMTP_URL: server.url,
  MAIL_MAX_PER_RECIPIENT_DAY: '50',
}));
const clock = useClock();
const ANN = 'ann@example.org';
const BOSS = 'boss@example.com';

let owner: Caller;
let form: FormBody;
let path: string;
beforeEach(async () => {
  owner = await service().openAccount('Shop', BOSS);
  form = await makeForm(owner, { name: 'Contact', notify_submitter: true });
  path = `/api/v1/forms/${form.identifier}`;
  server.mails.length = 0;
  server.answer = () => 'accept';
});

const set = (visitor_mail: object) => owner.put(`${path}/visitor-mail`, { visitor_mail });
const markAs = (id: string, marks: object) =>
  owner.patch(`${pathOf(form)}/${id}`, { submission: marks }).expect(200);

/** Sends what is due soon. Returns the subjects of the mails that went out, with their receivers. */
async function sent(): Promise<string[]> {
  clock.forward(MINUTE_MS);
  server.mails.length = 0;
  await sendDue(service());
  return server.mails.map(({ to, mail }) => `${to.join()}: ${mail.subject}`).sort();
}

const ASKED = [`${ANN}: Please confirm: Contact`];
const ALL = [
  `${ANN}: We have received your submission: Contact`,
  `${BOSS}: New submission: Contact`,
];

/** The path that the last mail to Ann leads to. */
function link(): string {
  const text = server.to(ANN).at(-1)?.mail.text ?? '';
  return new URL(/https?:\/\/\S*\/opt-in\/\S+/.exec(text)?.[0] ?? '').pathname;
}

async function stateOf(id: string): Promise<Record<string, unknown>> {
  const { body } = await owner.get(`${pathOf(form)}/${id}/confirmation`).expect(200);
  return (body as { confirmation: Record<string, unknown> }).confirmation;
}

async function block(word: string, points: number): Promise<void> {
  const signals = { lists: { points }, repetition: { enabled: false } };
  await owner.put(`${path}/spam`, { spam: { signals } }).expect(200);
  await owner.put(`${path}/spam/lists`, { lists: { block: word } }).expect(200);
}

describe('A form whose visitors confirm', () => {
  const html = { Accept: 'text/html' };
  const send = (more: object = {}) => submit(service(), form, { email: ANN, ...more });
  beforeEach(async () => {
    await set({ double_opt_in: true }).expect(200);
  });

  it('asks, and sends everything once when the button is pressed, not when the link is opened', async () => {
    const id = await send();
    expect(await sent()).toEqual(ASKED);
    const { text = '' } = server.to(ANN).at(-1)?.mail ?? {};
    expect(text).toMatch(/“Contact” of Shop/);
    expect(await stateOf(id)).toMatchObject({ state: 'waiting', email: ANN, confirmed_by: null });
    expect(await listed(owner, form, 'confirmation=waiting')).toEqual([id]);
    expect(await listed(owner, form, 'q=is:waiting')).toEqual([id]);
    const path = link();
    const asks = await service().anonymous().get(path).set(html).expect(200);
    expect(asks.text).toMatch(/Yes, that was me/);
    expect(await sent()).toEqual([]);
    const thanks = await service().anonymous().post(path).set(html).expect(200);
    expect(thanks.text).toMatch(/Thank you/);
    expect(await sent()).toEqual(ALL);
    const again = await service().anonymous().post(path).set(html).expect(200);
    expect(again.text).toMatch(/Already confirmed/);
    expect(await sent()).toEqual([]);
    expect(await stateOf(id)).toMatchObject({ state: 'confirmed', confirmed_by: 'visitor' });
    expect(await listed(owner, form, 'confirmation=waiting')).toEqual([]);
    expect(await listed(owner, form, 'confirmation=confirmed')).toEqual([id]);
    const { body } = await owner.get(`${pathOf(form)}/${id}/timeline`).expect(200);
    const { timeline } = body as { timeline: { what: string }[] };
    expect(timeline.map(({ what }) => what)).toContain('confirmed');
  });
});
