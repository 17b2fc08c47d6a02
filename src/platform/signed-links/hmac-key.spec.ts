import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createHmac } from 'node:crypto';
import { HmacKey } from './hmac-key.js';

describe('A key', () => {
  it('signs as the library does, one text after the other', () => {
    const bytes = (maxLength: number) =>
      fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(bytes(64), fc.array(bytes(200)), (secret, texts) => {
        const key = new HmacKey(secret);
        for (const text of texts) {
          const signed = key.sign(text.subarray(0, 7), text.subarray(7));
          expect(signed).toBe(createHmac('sha256', secret).update(text).digest('hex'));
        }
      }),
    );
  });

  it('is no longer than a block', () => {
    expect(() => new HmacKey(Buffer.alloc(65))).toThrow('longer');
  });
});
