import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Config } from '../config/config.js';
import { SecretBox, SecretUnreadable } from './secret-box.js';

const OLD = 'o'.repeat(32);
const NEW = 'n'.repeat(32);

describe('The box of secrets', () => {
  const boxWith = (environment: Record<string, string>) => new SecretBox(Config.from(environment));

  it('opens what it sealed, and seals the same text in another way each time', async () => {
    const box = boxWith({ SECRET_KEY: OLD });
    const [one, two] = [await box.seal('hunter2 ü'), await box.seal('hunter2 ü')];

    expect(one).not.toBe(two);
    expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('hunter2');
    expect(await box.open(two)).toBe('hunter2 ü');
  });

  it('opens what an old key sealed, and seals with the new one', async () => {
    const sealed = await boxWith({ SECRET_KEY: OLD }).seal('a');
    const both = boxWith({ SECRET_KEY: `${NEW}, ${OLD}` });

    expect(await both.open(sealed)).toBe('a');
    expect(await boxWith({ SECRET_KEY: NEW }).open(await both.seal('b'))).toBe('b');
  });

  it('opens nothing that another key sealed, or that was changed', async () => {
    const box = boxWith({ SECRET_KEY: OLD });
    const sealed = await box.seal('a');
    const bytes = Buffer.from(sealed, 'base64');
    bytes[20] = (bytes[20] ?? 0) ^ 1;

    await expect(boxWith({ SECRET_KEY: NEW }).open(sealed)).rejects.toThrow(SecretUnreadable);
    await expect(box.open(bytes.toString('base64'))).rejects.toThrow(SecretUnreadable);
    await expect(box.open('')).rejects.toThrow(SecretUnreadable);
  });

  it('keeps a key in a file that others cannot read, where none is set', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fcs-secrets-'));
    const boxes = [1, 2, 3].map(() => boxWith({ DATA_DIR: folder }));
    const sealed = await Promise.all(boxes.map((box) => box.seal('a')));

    for (const text of sealed) expect(await boxWith({ DATA_DIR: folder }).open(text)).toBe('a');
    expect((await stat(join(folder, 'secret.key'))).mode & 0o777).toBe(0o600);
    expect((await readFile(join(folder, 'secret.key'), 'utf8')).trim().length).toBeGreaterThan(40);
  });

  it('refuses a short key', () => {
    expect(() => boxWith({ SECRET_KEY: 'short' })).toThrow(
      'SECRET_KEY must have at least 32 characters; to change it, put the new key first, then a comma and the old one',
    );
  });
});
