import { createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';

/** A key with its certificate, both as PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const DNS_NAME = 0x82;
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';
const BASIC_CONSTRAINTS = '551d13';

const AUTHORITY = 'Test Authority';

const DAY_MS = 86_400_000;

/** Contents of a certificate, and who vouches for it. */
export interface CertificateOptions {
  /** Host names and IPv4 addresses. */
  names?: string[];
  from?: number;
  to?: number;
  /** Whose key signs it; its own unless given. */
  issuer?: Certificate;
  /** Key that it is for, in DER; a new one unless given. */
  spki?: Buffer;
  /** Whether it can sign others. */
  isAuthority?: boolean;
}

/** Makes a certificate (RFC 5280): for 127.0.0.1, valid today, vouched for by itself, unless told otherwise. */
export function makeCertificate(options: CertificateOptions = {}): Certificate {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { names = ['127.0.0.1'], spki = own.publicKey.export({ type: 'spki', format: 'der' }) } =
    options;
  const { from = Date.now() - DAY_MS, to = Date.now() + DAY_MS } = options;
  const algorithm = der(SEQUENCE, hex(OBJECT_ID, ECDSA_WITH_SHA256));
  const vouches = options.isAuthority === true || options.issuer !== undefined;
  const signed = der(
    SEQUENCE,
    der(VERSION, hex(INTEGER, '02')),
    der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    nameOf(vouches ? AUTHORITY : 'test'),
    der(SEQUENCE, time(from), time(to)),
    nameOf(options.isAuthority === true ? AUTHORITY : 'test'),
    spki,
    der(
      EXTENSIONS,
      der(
        SEQUENCE,
        extension(SUBJECT_ALT_NAME, der(SEQUENCE, ...names.map(alternative))),
        ...(options.isAuthority ? [extension(BASIC_CONSTRAINTS, hex(SEQUENCE, '0101ff'))] : []),
      ),
    ),
  );
  const signer = options.issuer?.key ?? own.privateKey;
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, signer)]);
  const whole = der(SEQUENCE, signed, algorithm, der(BIT_STRING, signature));
  return {
    key: own.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

/** A request for a certificate (RFC 2986). */
export interface SigningRequest {
  names: string[];
  /** The key it is for, in DER. */
  spki: Buffer;
  /** Whether it is signed with that key. */
  isSigned: boolean;
}

/** Reads a request for a certificate, in DER. */
export function readRequest(request: Buffer): SigningRequest {
  const [whole] = partsOf(request);
  const [info, , signature] = partsOf(whole?.content);
  const [, , key] = partsOf(info?.content);
  if (!info || !signature || !key) throw new Error('It is no request for a certificate.');
  const publicKey = createPublicKey({ key: key.whole, format: 'der', type: 'spki' });
  const at = info.whole.indexOf(Buffer.from(SUBJECT_ALT_NAME, 'hex'));
  const [value] = at < 0 ? [] : partsOf(info.whole.subarray(at + SUBJECT_ALT_NAME.length / 2));
  const [list] = partsOf(value?.content);
  return {
    names: partsOf(list?.content).map(({ content }) => content.toString('latin1')),
    spki: key.whole,
    isSigned: verify('sha256', info.whole, publicKey, signature.content.subarray(1)),
  };
}

/** Reads values in DER that stand one after the other. */
function partsOf(bytes?: Buffer): { whole: Buffer; content: Buffer }[] {
  const parts: { whole: Buffer; content: Buffer }[] = [];
  if (!bytes) return parts;
  for (let at = 0; at + 1 < bytes.length;) {
    const short = bytes[at + 1] ?? 0;
    const more = short < 128 ? 0 : short - 128;
    const length = more === 0 ? short : bytes.readUIntBE(at + 2, more);
    const end = at + 2 + more + length;
    parts.push({ whole: bytes.subarray(at, end), content: bytes.subarray(end - length, end) });
    at = end;
  }
  return parts;
}

const nameOf = (common: string) =>
  der(
    SEQUENCE,
    der(SET, der(SEQUENCE, hex(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from(common)))),
  );

const extension = (id: string, value: Buffer) =>
  der(SEQUENCE, hex(OBJECT_ID, id), der(OCTET_STRING, value));

const alternative = (name: string) =>
  /^[\d.]+$/.test(name)
    ? der(IP_ADDRESS, Buffer.from(name.split('.').map(Number)))
    : der(DNS_NAME, Buffer.from(name));

/** Encodes a value in DER: its tag, its length and its parts. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const long = length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 128 ? [length] : long)]), content]);
}

const hex = (tag: number, content: string) => der(tag, Buffer.from(content, 'hex'));

const time = (at: number) =>
  der(UTC_TIME, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
