import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_KEY = 0x40;

/** Deliberate misbehavior of an authenticator. */
export interface Misbehaviour {
  origin?: string;
  rpId?: string;
  /** Whether it asked the person for a fingerprint, face or PIN. */
  isVerified?: boolean;
  /** How many uses it says that it counted. */
  uses?: number;
  userHandle?: string;
}

interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** A passkey as `toJSON` of what a browser answers writes it. */
export interface Answer {
  id: string;
  rawId: string;
  type: 'public-key';
  clientExtensionResults: object;
  response: Record<string, unknown>;
}

/** A device that makes one passkey and signs with it, as WebAuthn level 3, sections 6 and 7, describe. */
export class Authenticator {
  readonly id = randomBytes(32);
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  private userHandle = '';
  private uses = 0;

  constructor(
    private readonly origin: string,
    /** Whether it counts its uses; what is kept in step between devices does not. */
    private readonly counts = true,
  ) {}

  /** Answers `navigator.credentials.create`. */
  make(options: Options, wrong: Misbehaviour = {}): Answer {
    this.userHandle = options.user?.id ?? '';
    const rpId = wrong.rpId ?? options.rp?.id ?? '';
    const data = Buffer.concat([
      this.head(rpId, HAS_KEY, wrong),
      Buffer.alloc(16),
      uint16(this.id.length),
      this.id,
      coseOf(this.keys.publicKey),
    ]);
    const attestation = map([
      [text('fmt'), text('none')],
      [text('attStmt'), map([])],
      [text('authData'), bytes(data)],
    ]);
    return this.answer({
      clientDataJSON: this.client('webauthn.create', options, wrong).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Answers `navigator.credentials.get`. */
  sign(options: Options, wrong: Misbehaviour = {}): Answer {
    if (this.counts) this.uses++;
    const data = this.head(wrong.rpId ?? options.rpId ?? '', 0, wrong);
    const client = this.client('webauthn.get', options, wrong);
    const digest = createHash('sha256').update(client).digest();
    const signature = sign('sha256', Buffer.concat([data, digest]), this.keys.privateKey);
    return this.answer({
      clientDataJSON: client.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: wrong.userHandle ?? this.userHandle,
    });
  }

  private head(rpId: string, flags: number, { isVerified = true, uses }: Misbehaviour): Buffer {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(uses ?? this.uses);
    const all = USER_PRESENT | flags | (isVerified ? USER_VERIFIED : 0);
    return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([all]), count]);
  }

  private client(type: string, { challenge }: Options, { origin }: Misbehaviour): Buffer {
    const data = { type, challenge, origin: origin ?? this.origin, crossOrigin: false };
    return Buffer.from(JSON.stringify(data));
  }

  private answer(response: Record<string, unknown>): Answer {
    const id = this.id.toString('base64url');
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

/** A public key as COSE writes it (RFC 9053, section 7.1.1), for ECDSA over P-256. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return map([
    [number(1), number(2)],
    [number(3), number(-7)],
    [number(-1), number(1)],
    [number(-2), bytes(Buffer.from(x, 'base64url'))],
    [number(-3), bytes(Buffer.from(y, 'base64url'))],
  ]);
}

/** The parts of CBOR (RFC 8949) that an attestation is made of. */
function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
  return Buffer.concat([Buffer.from([(kind << 5) | 25]), uint16(size)]);
}
const number = (value: number) => (value < 0 ? head(1, -1 - value) : head(0, value));
const bytes = (value: Buffer) => Buffer.concat([head(2, value.length), value]);
const text = (value: string) => Buffer.concat([head(3, value.length), Buffer.from(value)]);
const map = (pairs: [Buffer, Buffer][]) => Buffer.concat([head(5, pairs.length), ...pairs.flat()]);

function uint16(value: number): Buffer {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return buffer;
}
