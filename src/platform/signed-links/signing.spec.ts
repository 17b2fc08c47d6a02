import type { UnitOfWork } from '../database/unit-of-work.js';
import type { SigningKeysRepository } from './signing-keys.repository.js';
import { SigningService } from './signing.service.js';

const NOW = new Date('2030-01-31T12:00:00Z');
const LATER = new Date(NOW.getTime() + 60_000);
const PAYLOAD = Buffer.from('a payload');

const withKey = (byte: number) =>
  new SigningService(
    { find: () => Promise.resolve({ secret: Buffer.alloc(32, byte) }) } as unknown as SigningKeysRepository,
    {} as UnitOfWork,
  );
const signing = withKey(1);

describe('A signed text', () => {
  it('is good for its purpose alone', async () => {
    const text = await signing.sign('file', PAYLOAD, LATER);

    expect(await signing.verify('thanks', text, NOW)).toBeNull();
    expect(await signing.derive('file', PAYLOAD)).not.toEqual(await signing.derive('thanks', PAYLOAD));
  });

  it('is worth nothing under another key, or with any byte changed', async () => {
    const text = await signing.sign('file', PAYLOAD, LATER);

    expect(await withKey(2).verify('file', text, NOW)).toBeNull();
    for (let at = 0; at < Buffer.from(text, 'base64url').length; at++) {
      const bytes = Buffer.from(text, 'base64url');
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      expect(await signing.verify('file', bytes.toString('base64url'), NOW)).toBeNull();
    }
  });
});
