import { NOTHING_KNOWN } from '../../../test/support/evidence.js';
import { SpamJudge } from './spam-judge.js';
import { SpamSettings } from './spam-settings.js';
import type { FoundPart, SlowSignal } from '../evidence/spam-evidence.js';

const SETTINGS = SpamSettings.of({ spamSettings: null, whitelistedDomains: null });
const HANGS = () => new Promise<null>(() => undefined);

/** A signal that forms have on; what it finds is worth 4 points. */
const signal = (look: SlowSignal['look'], more: Partial<SlowSignal> = {}): SlowSignal => ({
  ...{ name: 'lists', points: 4, enabled: true, look, ...more },
});
const finds = (points = 4): Promise<FoundPart> => Promise.resolve({ name: 'lists', points, reason: 'x' });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Judges, and returns what came out with the milliseconds that it took. */
async function judge(...signals: SlowSignal[]): Promise<{ score: number; ms: number }> {
  const begin = performance.now();
  let ms = 0;
  const judged = new SpamJudge(signals).judge(NOTHING_KNOWN, SETTINGS).finally(() => {
    ms = performance.now() - begin;
  });
  await jest.advanceTimersByTimeAsync(5_000);
  return { score: (await judged).score, ms };
}

describe('Signals that wait', () => {
  it('have two seconds together, and say nothing when that is over', async () => {
    const { score, ms } = await judge(
      signal(HANGS),
      signal(HANGS),
      signal(() => finds()),
    );
    expect(score).toBe(4);
    expect(ms).toBeLessThanOrEqual(2_000);
  });

  it('leave half of that to those that are asked last, which may say that they do not know', async () => {
    const asked = jest.fn<SlowSignal['look']>(() => finds());
    expect(await judge(signal(HANGS), signal(asked, { last: true }))).toMatchObject({ score: 4 });
    expect(asked).toHaveBeenCalledTimes(1);

    const unanswered = (): FoundPart => ({ name: 'lists', points: 0, reason: 'x', holds: true });
    const late = await judge(signal(HANGS), signal(HANGS, { last: true, unanswered }));
    expect(late.score).toBe(5);
    expect(late.ms).toBeLessThanOrEqual(2_000);
    const throws = () => Promise.reject(new Error('x'));
    expect(await judge(signal(throws, { last: true, unanswered }))).toMatchObject({ score: 5 });
  });

  it('are not asked last when it is spam already, or not used by the form', async () => {
    const asked = jest.fn<SlowSignal['look']>(() => finds());
    await judge(
      signal(() => finds(10)),
      signal(asked, { last: true }),
    );
    await judge(signal(asked, { isUsedBy: () => false }));
    expect(asked).not.toHaveBeenCalled();
  });
});
