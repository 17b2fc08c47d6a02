import type { jest as Jest } from '@jest/globals';
import argon2 from '@node-rs/argon2';
import { Passwords } from './passwords.js';

let verify: Jest.SpiedFunction<typeof argon2.verify>;
beforeEach(() => {
  verify = jest.spyOn(argon2, 'verify');
});

const PASSWORD = 'purple otters juggle at noon';

it('Passwords that come by the hundred are refused rather than kept waiting', async () => {
  const passwords = new Passwords();
  const kept = await passwords.hash(PASSWORD);
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  verify.mockImplementation(() => finished.then(() => true));
  const waiting = Array.from({ length: 66 }, () => passwords.fits(PASSWORD, kept));

  await expect(passwords.fits(PASSWORD, kept)).rejects.toMatchObject({ code: 'passwords_busy' });
  finish();
  expect(await Promise.all(waiting)).not.toContain(false);
  verify.mockRestore();
  expect(await passwords.fits(PASSWORD, kept)).toBe(true);
});

describe('A password that is tried', () => {
  it('costs the same for somebody who has none, and never fits', async () => {
    const passwords = new Passwords();
    await passwords.fits(PASSWORD, await passwords.hash(PASSWORD));
    const [known = ''] = verify.mock.calls.at(-1) ?? [];
    verify.mockClear();

    expect(await passwords.fits(PASSWORD, null)).toBe(false);
    expect(await passwords.fits('nobody has this password', null)).toBe(false);

    expect(verify).toHaveBeenCalledTimes(2);
    const parametersOf = (hash: unknown) => /^.*\$m=.*?\$/.exec(String(hash))?.[0];
    const [unknown = ''] = verify.mock.calls[0] ?? [];
    expect(parametersOf(unknown)).toBe(parametersOf(known));
    expect(parametersOf(unknown)).toContain('argon2id');
  });
});
