import { FORM_HOURS_MAX, REASONS_MAX, RefusalTally } from './refusal-tally.js';

const ONE = { formId: 1, hour: 5, code: 'missing', field: 'email', amount: 1 };

describe('The tally of refusals', () => {
  it('adds up what has the same form, hour and reason, and gives it once', () => {
    const tally = new RefusalTally();
    for (const field of ['email', 'email', 'name']) tally.add({ ...ONE, field });
    tally.add({ ...ONE, hour: 6 });
    expect(tally.take()).toEqual([
      { ...ONE, amount: 2 },
      { ...ONE, field: 'name' },
      { ...ONE, hour: 6 },
    ]);
    expect(tally.isEmpty).toBe(true);
    expect(tally.take()).toEqual([]);
  });

  it('counts further reasons of a form together', () => {
    const tally = new RefusalTally();
    for (let n = 0; n < REASONS_MAX + 5; n++) tally.add({ ...ONE, field: `f${n}` });
    tally.add({ ...ONE, field: 'f0' });
    const all = tally.take();
    expect(all).toHaveLength(REASONS_MAX + 1);
    expect(all[0]?.amount).toBe(2);
    expect(all.at(-1)).toEqual({ ...ONE, code: 'other', field: '', amount: 5 });
  });

  it('keeps no more forms than its limit', () => {
    const tally = new RefusalTally();
    for (let formId = 0; formId <= FORM_HOURS_MAX; formId++) tally.add({ ...ONE, formId });
    tally.add({ ...ONE, formId: 0 });
    const all = tally.take();
    expect(all).toHaveLength(FORM_HOURS_MAX);
    expect(all[0]?.amount).toBe(2);
  });
});
