import 'reflect-metadata'; // which the next needs
import { isIP } from 'node:net';
import {
  BasicConstraintsExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type JsonGeneralName,
  type PublicKey,
} from '@peculiar/x509';

/** A key with its certificate, both as PEM. */
export interface Certificate {
  key: string;
  cert: string;
  /** The same key, to sign others with. */
  signingKey: CryptoKey;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const AUTHORITY = 'CN=Test Authority';

const DAY_MS = 86_400_000;

/** Contents of a certificate, and who vouches for it. */
export interface CertificateOptions {
  /** Host names and IP addresses. */
  names?: string[];
  from?: number;
  to?: number;
  /** Whose key signs it; its own unless given. */
  issuer?: Certificate;
  /** Key that it is for; a new one unless given. */
  publicKey?: PublicKey;
  /** Whether it can sign others. */
  isAuthority?: boolean;
}

/** Makes a certificate (RFC 5280): for 127.0.0.1, valid today, vouched for by itself, unless told otherwise. */
export async function makeCertificate(options: CertificateOptions = {}): Promise<Certificate> {
  const own = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const { names = ['127.0.0.1'], issuer, isAuthority = false } = options;
  const { from = Date.now() - DAY_MS, to = Date.now() + DAY_MS } = options;
  const certificate = await X509CertificateGenerator.create({
    subject: isAuthority ? AUTHORITY : 'CN=test',
    issuer: isAuthority || issuer ? AUTHORITY : 'CN=test',
    notBefore: new Date(from),
    notAfter: new Date(to),
    publicKey: options.publicKey ?? own.publicKey,
    signingKey: issuer?.signingKey ?? own.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new SubjectAlternativeNameExtension(names.map(alternative)),
      new BasicConstraintsExtension(isAuthority),
    ],
  });
  const key = await crypto.subtle.exportKey('pkcs8', own.privateKey);
  return {
    key: PemConverter.encode(key, 'PRIVATE KEY'),
    cert: `${certificate.toString('pem')}\n`,
    signingKey: own.privateKey,
  };
}

const alternative = (value: string): JsonGeneralName => ({ type: isIP(value) ? 'ip' : 'dns', value });
