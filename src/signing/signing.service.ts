import { Injectable } from '@nestjs/common';
import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { UnitOfWork } from '../database/unit-of-work.js';
import { SigningKeysRepository } from './signing-keys.repository.js';

const KEY_BYTES = 32;
/** Enough of the hash for a link that expires. */
const MAC_BYTES = 16;
const EXPIRY_BYTES = 4;

/** Signs what the service puts into links, so that nobody else can make one. */
@Injectable()
export class SigningService {
  private key: Promise<Buffer> | null = null;

  constructor(
    private readonly keys: SigningKeysRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /**
   * @param purpose what the result is good for; it verifies for no other
   * @returns URL-safe text: payload, expiry in seconds and signature
   */
  async sign(purpose: string, payload: Buffer, expiresAt: Date): Promise<string> {
    const expiry = Buffer.alloc(EXPIRY_BYTES);
    expiry.writeUInt32BE(Math.floor(expiresAt.getTime() / 1000));
    const signed = Buffer.concat([payload, expiry]);
    return Buffer.concat([signed, await this.mac(purpose, signed)]).toString('base64url');
  }

  /** The payload of a text that was signed for this purpose and is not past its expiry, else null. */
  async verify(purpose: string, text: string, now: Date): Promise<Buffer | null> {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length < EXPIRY_BYTES + MAC_BYTES) return null;
    const signed = bytes.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(-MAC_BYTES), await this.mac(purpose, signed))) return null;
    const expiry = signed.readUInt32BE(signed.length - EXPIRY_BYTES);
    return expiry * 1000 < now.getTime() ? null : signed.subarray(0, -EXPIRY_BYTES);
  }

  /**
   * SHA-3 over the key and what is signed. What is known of a SHA-3 does not help to find that of a longer
   * text, so it needs no HMAC around it (https://keccak.team/keccak_strengths.html), which would cost
   * each submission twice as much.
   */
  private async mac(purpose: string, signed: Buffer): Promise<Buffer> {
    this.key ??= this.load().catch((error: unknown) => {
      this.key = null;
      throw error;
    });
    const content = Buffer.concat([await this.key, Buffer.from(`${purpose}\0`), signed]);
    return Buffer.from(hash('sha3-256', content), 'hex').subarray(0, MAC_BYTES);
  }

  private async load(): Promise<Buffer> {
    const found = await this.keys.find();
    if (found) return found.secret;
    await this.unitOfWork.run((tx) => this.keys.in(tx).insert(randomBytes(KEY_BYTES), new Date()));
    const made = await this.keys.find();
    if (!made) throw new Error('The signing key was not stored.');
    return made.secret;
  }
}
