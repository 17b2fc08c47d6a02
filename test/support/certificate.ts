import { generateKeyPairSync, sign } from 'node:crypto';

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
const IP_ADDRESS = 0x87;
const VERSION = 0xa0;
const EXTENSIONS = 0xa3;

const ECDSA_WITH_SHA256 = '2a8648ce3d040302';
const COMMON_NAME = '550403';
const SUBJECT_ALT_NAME = '551d11';

const DAY_MS = 86_400_000;

/** Makes a certificate for 127.0.0.1, valid today, that nobody but itself vouches for (RFC 5280). */
export function makeCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(SEQUENCE, hex(OBJECT_ID, ECDSA_WITH_SHA256));
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, hex(OBJECT_ID, COMMON_NAME), der(UTF8_STRING, Buffer.from('test')))),
  );
  const addresses = der(SEQUENCE, der(IP_ADDRESS, Buffer.from([127, 0, 0, 1])));
  const signed = der(
    SEQUENCE,
    der(VERSION, hex(INTEGER, '02')),
    hex(INTEGER, '01'),
    algorithm,
    name,
    der(SEQUENCE, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(
      EXTENSIONS,
      der(SEQUENCE, der(SEQUENCE, hex(OBJECT_ID, SUBJECT_ALT_NAME), der(OCTET_STRING, addresses))),
    ),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', signed, privateKey)]);
  const whole = der(SEQUENCE, signed, algorithm, der(BIT_STRING, signature));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

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
