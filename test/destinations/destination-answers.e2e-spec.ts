import { answersJson, behavesAs, SLACK } from '../support/chat-services.js';
import { HOUR_MS, MINUTE_MS, useClock } from '../support/clock.js';
import { addDestination, lastAttempt, sendAndDeliver, TAKEN } from '../support/destinations.js';
import { useService, useOwner, useForm } from '../support/service.js';
import { useReceiver, answers, WebhookReceiver, type Behaviour } from '../support/webhook-receiver.js';

const service = useService({ WORKERS: 'off', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32' });
const clock = useClock();
const receiver = useReceiver();
const owner = useOwner(service);
const form = useForm(owner, { name: 'Contact', notify_owner_on_submission: false });
const add = (kind: string, more?: object) => addDestination(owner, form, kind, receiver, more);
const sent = (values?: object) => sendAndDeliver(service(), owner, form, values);

const SLOW = { state: 'pending', outcome: 'refused' };
const OVER = { state: 'failed', outcome: 'refused' };
const workflow = (status: number) =>
  `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId tcid=0`;
const bot = (code: number, description: string, parameters?: object) =>
  answersJson(code, { ok: false, error_code: code, description, parameters });
const api = (code: number, status: string) => answersJson(code, { error: { code, message: 'Sorry', status } });

describe('An answer', () => {
  it.each<[string, string, Behaviour, object]>([
    ['slack', '200 ok', answers(200, 'ok'), TAKEN],
    ['slack', '200 with ok true', answersJson(200, { ok: true }), TAKEN],
    ['slack', '200 with an error', answersJson(200, { ok: false, error: 'no_text' }), SLOW],
    ['slack', '200 with a page', answers(200, '<html>Sign in</html>'), SLOW],
    ['slack', '400', answers(400, 'invalid_payload'), OVER],
    ['slack', '403', answers(403, 'action_prohibited'), OVER],
    ['slack', '404 for its service', answers(404, 'no_service'), OVER],
    ['slack', '404 for its channel', answers(404, 'channel_not_found'), OVER],
    ['slack', '410', answers(410, 'channel_is_archived'), { state: 'failed', outcome: 'gone' }],
    ['slack', '500', answers(500, 'rollup_error'), SLOW],
    ['slack', '302', answers(302, '', { location: 'https://slack.com/' }), SLOW],
    ['discord', '200', answersJson(200, { id: '1' }), TAKEN],
    ['discord', '204', answers(204), TAKEN],
    ['discord', '404', answersJson(404, { code: 10_015, message: 'Unknown Webhook' }), OVER],
    ['discord', '400', answersJson(400, { code: 50_035, message: 'Invalid Form Body' }), OVER],
    ['teams', '202', answers(202), TAKEN],
    ['teams', '200 1', answers(200, '1'), TAKEN],
    ['teams', '200 with 429', answers(200, workflow(429)), SLOW],
    ['teams', '200 with 413', answers(200, workflow(413)), SLOW],
    ['teams', '401', answersJson(401, { error: { code: 'DirectApiAuthorizationRequired' } }), OVER],
    ['teams', '404', answersJson(404, { error: { code: 'WorkflowNotFound' } }), OVER],
    ['telegram', '200', answersJson(200, { ok: true, result: { message_id: 1 } }), TAKEN],
    ['telegram', '200 with a page', answers(200, '<html>'), SLOW],
    ['telegram', '400', bot(400, 'Bad Request: chat not found'), OVER],
    ['telegram', '401', bot(401, 'Unauthorized'), OVER],
    ['telegram', '403', bot(403, 'Forbidden: bot was kicked from the group chat'), OVER],
    ['google_chat', '200', answersJson(200, { name: 'spaces/A/messages/B' }), TAKEN],
    ['google_chat', '404', api(404, 'NOT_FOUND'), OVER],
    ['google_chat', '403', api(403, 'PERMISSION_DENIED'), OVER],
    ['google_chat', '429', api(429, 'RESOURCE_EXHAUSTED'), SLOW],
    ['plain', '200', answersJson(200, { id: 'sPs71M8A2T28' }), TAKEN],
    ['plain', '403', answersJson(403, { code: 40_301, error: 'forbidden' }), OVER],
    ['plain', '507', answersJson(507, { code: 50_701, error: 'storage full' }), SLOW],
  ])('of %s that is %s', async (kind, _, behaviour, expected) => {
    await add(kind);
    receiver.behaviour = behaviour;
    expect(await sent()).toMatchObject(expected);
  });

  it.each<[string, Behaviour, number]>([
    ['slack', answers(429, 'rate_limited', { 'retry-after': '600' }), 600],
    ['discord', answersJson(429, { message: 'Slow', retry_after: 600.25, global: false }), 600.25],
    ['telegram', bot(429, 'Too Many Requests', { retry_after: 600 }), 600],
    ['google_chat', answers(429, '', { 'retry-after': '600' }), 600],
    ['plain', answers(429, '', { 'retry-after': '600' }), 600],
  ])('of %s can ask us to wait', async (kind, behaviour, seconds) => {
    await add(kind);
    receiver.behaviour = behaviour;
    const before = clock.now().getTime();
    const { state, next } = await sent();
    expect(state).toBe('pending');
    expect(Date.parse(next ?? '') - before).toBeGreaterThanOrEqual(seconds * 1_000);
  });

  it('of Discord is not waited for without bounds', async () => {
    await add('discord');
    receiver.behaviour = answersJson(429, { retry_after: 1e300 });
    const { next } = await sent();
    expect(Date.parse(next ?? '') - clock.now().getTime()).toBeLessThanOrEqual(24 * HOUR_MS);
  });
});

describe('A group of Telegram that became a supergroup', () => {
  const moved = bot(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
    migrate_to_chat_id: -1001234567890,
  });
  const taken = answersJson(200, { ok: true, result: { message_id: 1 } });
  const chatIn = (call: { body: string } | undefined) =>
    (JSON.parse(call?.body ?? '{}') as { chat_id?: string }).chat_id;
  /** Behaves as a group that has moved to a chat. */
  const group =
    (there: Behaviour): Behaviour =>
    (...call) => {
      (chatIn(receiver.last) === '-1001234567890' ? there : moved)(...call);
    };
  const settingsOf = async (id: string) => {
    const { body } = await owner.get(`/api/v1/forms/${form.identifier}/destinations/${id}`);
    return body.destination.settings;
  };

  it('is followed at once, and stays so', async () => {
    const { id } = await add('telegram', { chat: '-42' });
    receiver.behaviour = group(taken);

    const ended = await sent();
    expect(ended).toMatchObject({ ...TAKEN, tries: 1 });
    expect(ended.answer).toMatch(/^Moved to chat -1001234567890, which is stored now\.\n/);
    expect(await sent()).toMatchObject(TAKEN);
    expect(receiver.calls.map(chatIn)).toEqual(['-42', '-1001234567890', '-1001234567890']);
    expect(await settingsOf(id)).toMatchObject({ chat: '-1001234567890' });
  });

  it('is followed by a test too', async () => {
    const { id } = await add('telegram', { chat: '-42' });
    receiver.behaviour = group(taken);

    const path = `/api/v1/forms/${form.identifier}/destinations/${id}/test` as const;
    expect((await owner.post(path)).body).toMatchObject({ result: 'delivered' });
    expect(await settingsOf(id)).toMatchObject({ chat: '-1001234567890' });
  });

  it('keeps its new number where it cannot be reached yet', async () => {
    const { id } = await add('telegram', { chat: '-42' });
    receiver.behaviour = group(bot(500, 'Internal Server Error'));

    expect(await sent()).toMatchObject(SLOW);
    expect(await settingsOf(id)).toMatchObject({ chat: '-1001234567890' });
  });

  it('is left where it is by an answer that names none', async () => {
    const { id } = await add('telegram', { chat: '-42' });
    receiver.behaviour = bot(400, 'Bad Request', { migrate_to_chat_id: 'elsewhere' });

    expect(await sent()).toMatchObject(OVER);
    expect(await settingsOf(id)).toMatchObject({ chat: '-42' });
  });
});

describe('A redirect', () => {
  it.each([
    ['webhook', 301, '/hook/', '/hook/'],
    ['slack', 302, 'https://slack.com/', 'https://slack.com/'],
    ['discord', 303, '//discord.example/x', '//discord.example/x'],
    ['plain', 307, 'https://ann:s@n.example/t?auth=secret#x', 'https://n.example/t'],
    ['telegram', 308, `/${'a'.repeat(2_000)}`, `/${'a'.repeat(299)}…`],
  ])('of %s with %i to %s says where it leads', async (kind, status, location, target) => {
    const { id } = await add(kind);
    receiver.behaviour = answers(status, '<html>Moved</html>', { location });

    expect(await sent()).toMatchObject({
      ...{ state: 'pending', outcome: 'refused', code: status },
      answer: `${status}, moved to ${target}`,
    });
    const path = `/api/v1/forms/${form.identifier}/destinations/${id}/test` as const;
    const { body } = await owner.post(path);
    expect(body).toMatchObject({ code: status, answer: `${status}, moved to ${target}` });
  });

  it('shows nothing of an address that is secret', async () => {
    const secret = 'xoxb0123456789abcdef';
    await add('slack', { url: `${receiver.url}/${secret}?key=0123456789abcdef01` });
    receiver.behaviour = answers(308, '', { location: `https://a.example/v2/${secret}/` });

    expect(await sent()).toMatchObject({ answer: '308, moved to https://a.example/v2/…/' });
  });
});

it('A Slack that asks us to wait for an hour delays nobody else, and gets everything once when it is back', async () => {
  const others = await WebhookReceiver.start(answers(200, 'ok'));
  try {
    await add('slack');
    receiver.behaviour = answers(429, 'rate_limited', { 'retry-after': '3600' });
    const first = await service().deliver(form, { message: 'First' });

    const neighbour = await owner.makeForm({ notify_owner_on_submission: false });
    await addDestination(owner, neighbour, 'slack', others);
    const stranger = await service().openAccount('Another');
    const foreign = await stranger.makeForm({ notify_owner_on_submission: false });
    // The same host as the one that asked us to wait.
    const url = `${receiver.url}/other`;
    await addDestination(stranger, foreign, 'slack', receiver, { url });
    const more = [];
    for (let i = 0; i < 20; i++) {
      more.push(await service().submit(form, { message: `Number ${i}` }));
      await service().submit(neighbour);
    }
    const calls = receiver.calls.length;
    await service().submit(foreign, { message: 'Foreign' });
    receiver.behaviour = (response, request) => {
      const isOther = request.url?.endsWith('/other');
      answers(isOther ? 200 : 429, 'ok', isOther ? {} : { 'retry-after': '3600' })(response, request);
    };
    await service().sendDue();
    expect(others.calls).toHaveLength(20);
    expect(receiver.calls.slice(calls).map(({ path }) => path)).toEqual(['/hook/other']);

    behavesAs(receiver, SLACK);
    const back = receiver.calls.length;
    for (let minutes = 0; minutes < 90; minutes += 5) {
      clock.forward(5 * MINUTE_MS);
      await service().sendDue();
    }
    expect(receiver.calls.slice(back)).toHaveLength(21);
    for (const id of [first, ...more]) expect(await lastAttempt(owner, form, id)).toMatchObject(TAKEN);
  } finally {
    await others.close();
  }
});
