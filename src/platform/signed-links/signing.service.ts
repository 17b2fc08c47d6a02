import { Injectable } from '@nestjs/common';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

const KEY_BYTES = 32;
/** Length of a signature in bytes: 128 bits cannot be guessed. */
const MAC_BYTES = 16;
const EXPIRY_BYTES = 4;

/** Signs and verifies the data in links. */
@Injectable()
export class SigningService {
  private key: Promise<Buffer> | null = null;

  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * Signs data for a link.
   * @param purpose of the link; it does not verify for another
   * @returns URL-safe text: payload, expiry in seconds and signature
   */
  async sign(purpose: string, payload: Buffer, expiresAt: Date) {
    const key = await this.loadOnce();
    const bytes = Buffer.allocUnsafe(payload.length + EXPIRY_BYTES + MAC_BYTES);
    payload.copy(bytes);
    const end = bytes.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000), payload.length);
    bytes.write(mac(key, purpose, bytes.subarray(0, end)), end, MAC_BYTES, 'hex');
    return bytes.toString('base64url');
  }

  /** Returns the payload of a text that was signed for this purpose and has not expired, else null. */
  async verify(purpose: string, text: string, now: Date): Promise<Buffer | null> {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length < EXPIRY_BYTES + MAC_BYTES) return null;
    const signed = bytes.subarray(0, -MAC_BYTES);
    const expected = Buffer.from(mac(await this.loadOnce(), purpose, signed), 'hex');
    if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), expected.subarray(0, MAC_BYTES))) return null;
    const expiry = signed.readUInt32BE(signed.length - EXPIRY_BYTES);
    return expiry * 1000 < now.getTime() ? null : signed.subarray(0, -EXPIRY_BYTES);
  }

  /**
   * Derives a secret of 32 bytes from the key, always the same for the same arguments, so that it need not be stored.
   * @param purpose of the secret; another purpose gives another secret
   */
  async derive(purpose: string, payload: Buffer): Promise<Buffer> {
    return Buffer.from(mac(await this.loadOnce(), purpose, payload), 'hex');
  }

  private loadOnce() {
    return (this.key ??= this.load().catch((error: unknown) => {
      this.key = null;
      throw error;
    }));
  }

  private async load() {
    const found = await this.keys.find();
    if (found) return found.secret;
    await this.unitOfWork.run((tx) => this.keys.in(tx).insert(randomBytes(KEY_BYTES)));
    const made = await this.keys.find();
    if (!made) throw new Error('The signing key was not stored.');
    return made.secret;
  }
}

/**
 * Returns the HMAC-SHA256 of a purpose, a NUL, and the signed data, in hexadecimal: bytes would take as long to make
 * as all the rest.
 */
function mac(key: Buffer, purpose: string, signed: Buffer) {
  return createHmac('sha256', key).update(`${purpose}\0`).update(signed).digest('hex');
}
