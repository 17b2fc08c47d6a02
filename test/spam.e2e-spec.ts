import { beforeEach, describe, expect, it } from '@jest/globals';
import { refusal } from './support/refusal.js';
import { useService } from './support/service.js';
import { Inbox, urlencoded } from './support/submit.js';

const service = useService();
let inbox: Inbox;
beforeEach(async () => {
  inbox = await Inbox.open(service());
});

interface Part {
  name: string;
  points: number;
  reason: string;
}
interface VerdictBody {
  verdict: string;
  score: number;
  parts: Part[];
}
type Rules = { signals: Record<string, { enabled: boolean; points: number }> } & Record<
  string,
  unknown
>;

const path = () => `/api/v1/forms/${inbox.form.identifier}`;
const TRAPPED = urlencoded([['_gotcha', 'x']]);

async function rules(change?: object): Promise<Rules> {
  const asked = change
    ? inbox.owner.put(`${path()}/spam`, { spam: change })
    : inbox.owner.get(`${path()}/spam`);
  return ((await asked.expect(200)).body as { spam: Rules }).spam;
}

async function verdict(id: string): Promise<VerdictBody> {
  const { body } = await inbox.owner.get(`${path()}/submissions/${id}/verdict`).expect(200);
  return body as VerdictBody;
}

const mark = (id: string, spam: boolean) =>
  inbox.owner.patch(`${path()}/submissions/${id}`, { submission: { spam } }).expect(200);

describe('The verdict on a submission', () => {
  it('is the sum of its parts, each with a sentence', async () => {
    const reason = 'The honeypot field "_gotcha" was filled in.';
    expect(await verdict(await inbox.accept(TRAPPED))).toEqual({
      verdict: 'spam',
      score: 10,
      parts: [{ name: 'honeypot', points: 10, reason }],
    });
    const clean = await inbox.accept(urlencoded([['a', '1']]));
    expect(await verdict(clean)).toEqual({ verdict: 'clean', score: 0, parts: [] });
  });

  it('says what a person decided, by a part that makes the sum come out', async () => {
    const id = await inbox.accept(TRAPPED);
    await mark(id, false);
    expect(await verdict(id)).toMatchObject({
      verdict: 'clean',
      score: 0,
      parts: [{ name: 'honeypot' }, { name: 'by_hand', points: -10 }],
    });
    const other = await inbox.accept(urlencoded([['a', '1']]));
    await mark(other, true);
    expect(await verdict(other)).toMatchObject({ verdict: 'spam', score: 10 });
    await mark(other, false);
    expect(await verdict(other)).toMatchObject({ verdict: 'clean', score: 0 });
  });

  it('goes by the weights of the form from then on', async () => {
    await rules({ signals: { honeypot: { points: 6 } } });
    const held = await inbox.accept(TRAPPED);
    expect(await verdict(held)).toMatchObject({ verdict: 'held', score: 6 });
    expect((await inbox.read(held)).submission).toMatchObject({ spam: false, spam_reason: null });
    expect(await inbox.count()).toBe(1);

    await rules({ spam_at: 6 });
    expect(await verdict(await inbox.accept(TRAPPED))).toMatchObject({ verdict: 'spam' });

    await rules({ signals: { honeypot: { enabled: false } } });
    expect(await verdict(await inbox.accept(TRAPPED))).toMatchObject({ parts: [] });
    expect(await verdict(held)).toMatchObject({ verdict: 'held', score: 6 });
  });
});

describe('The rules of a form about spam', () => {
  it('change by what is named, and are taken back as they are shown', async () => {
    const before = await rules();
    expect(before).toMatchObject({ held_at: 5, spam_at: 10, hold_hours: null });
    expect(before.signals.honeypot).toEqual({ enabled: true, points: 10 });

    const after = await rules({ signals: { origin: { points: 2.5 } }, hold_hours: 24 });
    expect(after).toEqual({
      ...before,
      hold_hours: 24,
      signals: { ...before.signals, origin: { enabled: true, points: 2.5 } },
    });
    expect(await rules(after)).toEqual(after);
  });

  it('name what is wrong', async () => {
    const put = (spam: unknown) => inbox.owner.put(`${path()}/spam`, { spam });
    await put({ signals: { honeypot: { points: 101 } } }).expect(
      refusal(422, 'invalid_fields', 'spam.signals.honeypot.points'),
    );
    await put({ signals: { nonsense: { points: 1 } } }).expect(
      refusal(422, 'invalid_fields', 'spam.signals.nonsense'),
    );
    await put({ signals: { honeypot: { enabled: null } } }).expect(
      refusal(422, 'invalid_fields', 'spam.signals.honeypot.enabled'),
    );
    await put({ held_at: 0 }).expect(refusal(422, 'invalid_fields', 'spam.held_at'));
    await put({ hold_hours: 2161 }).expect(refusal(422, 'invalid_fields', 'spam.hold_hours'));
    await put({ spam_at: 4 }).expect(refusal(422, 'spam_bands_crossed'));
    expect(await rules()).toMatchObject({ spam_at: 10 });
  });
});
