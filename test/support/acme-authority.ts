import { createHash, createPublicKey, randomBytes, verify, type JsonWebKey } from 'node:crypto';
import { get, type IncomingMessage, type ServerResponse } from 'node:http';
import { Pkcs10CertificateRequest, SubjectAlternativeNameExtension } from '@peculiar/x509';
import { makeCertificate, type Certificate } from './certificate.js';
import { LocalSite } from './local-server.js';

const JOSE = 'application/jose+json';
const DAY_MS = 86_400_000;

interface Order {
  status: 'pending' | 'ready' | 'valid' | 'invalid';
  names: string[];
  /** Domain -> token of its challenge, and whether it was met. */
  challenges: { name: string; token: string; status: 'pending' | 'valid' | 'invalid' }[];
  chain?: string;
}

/** A request whose signature was checked. */
interface Signed {
  account: string;
  payload: Record<string, unknown> | null;
}

class Refused extends Error {
  constructor(
    readonly type: string,
    detail: string,
    readonly status = 400,
  ) {
    super(detail);
  }
}

const idOf = (value: string) => createHash('sha256').update(value).digest('base64url');

/**
 * An authority that demands of its clients what RFC 8555 does, looks at their challenges on a port of this machine,
 * and issues real certificates.
 */
export class AcmeAuthority extends LocalSite {
  root!: Certificate;
  /** Mistakes of clients. */
  readonly complaints: string[] = [];
  /** Names of each certificate. */
  readonly issued: string[][] = [];
  readonly contacts: unknown[] = [];
  readonly accounts = new Map<string, JsonWebKey>();
  /** Life of the next certificates. */
  lifeMs = 90 * DAY_MS;
  /** Refuses orders because there were too many. */
  isBusy = false;
  /** Port on which it looks at challenges, in place of 80. */
  challengePort = 0;

  private readonly nonces = new Set<string>();
  private readonly orders: Order[] = [];

  override async listen(): Promise<this> {
    this.root = await makeCertificate({ isAuthority: true, names: ['authority.test'] });
    return super.listen();
  }

  get directoryUrl(): string {
    return `${this.origin}/directory`;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    const nonce = randomBytes(16).toString('base64url');
    this.nonces.add(nonce);
    response.setHeader('Replay-Nonce', nonce);
    response.setHeader('Cache-Control', 'no-store');
    try {
      if (path === '/directory' && request.method === 'GET') this.send(response, 200, this.directory());
      else if (path === '/new-nonce' && request.method === 'HEAD') response.end();
      else if (request.method !== 'POST') throw new Refused('malformed', 'Everything else is a POST.', 405);
      else await this.act(path, await this.check(request, path), response);
    } catch (error) {
      const { type, status, message } =
        error instanceof Refused ? error : new Refused('serverInternal', String(error), 500);
      if (type !== 'rateLimited') this.complaints.push(`${path}: ${message}`);
      response.setHeader('Content-Type', 'application/problem+json');
      response.statusCode = status;
      response.end(JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: message, status }));
    }
  }

  private directory(): unknown {
    return {
      newNonce: `${this.origin}/new-nonce`,
      newAccount: `${this.origin}/new-account`,
      newOrder: `${this.origin}/new-order`,
      meta: { termsOfService: `${this.origin}/terms` },
    };
  }

  /** Checks what is signed, and by whom (sections 6.2 to 6.5). */
  private async check(request: IncomingMessage, path: string): Promise<Signed> {
    if (request.headers['content-type'] !== JOSE) throw new Refused('malformed', 'It is no JOSE.', 415);
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const jws = JSON.parse(text) as Record<'protected' | 'payload' | 'signature', string>;
    const header = JSON.parse(Buffer.from(jws.protected, 'base64url').toString()) as {
      alg: string;
      url: string;
      nonce: string;
      kid?: string;
      jwk?: JsonWebKey;
    };
    if (!this.nonces.delete(header.nonce)) throw new Refused('badNonce', 'The nonce was used, or is none.');
    if (header.url !== this.origin + path) throw new Refused('unauthorized', 'It was signed for another URL.');
    if ((header.kid === undefined) === (header.jwk === undefined))
      throw new Refused('malformed', 'It has both kid and jwk, or none.');
    if ((path === '/new-account') !== (header.jwk !== undefined))
      throw new Refused('malformed', 'A new account is signed with jwk, all else with kid.');
    const jwk = header.jwk ?? this.accounts.get(header.kid ?? '');
    if (!jwk) throw new Refused('accountDoesNotExist', 'There is no such account.');
    if (header.alg !== 'ES256') throw new Refused('badSignatureAlgorithm', 'It must be ES256.');
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const signature = Buffer.from(jws.signature, 'base64url');
    const signed = Buffer.from(`${jws.protected}.${jws.payload}`);
    if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature))
      throw new Refused('malformed', 'The signature is wrong.');
    const account = header.kid ?? `${this.origin}/account/${thumbprintOf(jwk)}`;
    if (path === '/new-account' && !this.accounts.has(account)) this.accounts.set(account, jwk);
    const payload = Buffer.from(jws.payload, 'base64url').toString();
    return { account, payload: payload === '' ? null : (JSON.parse(payload) as Record<string, unknown>) };
  }

  private async act(path: string, signed: Signed, response: ServerResponse): Promise<void> {
    const [, kind, index = '', part = '0'] = path.split('/');
    const order = this.orders[Number(index)];
    if (kind === 'new-account') this.openAccount(signed, response);
    else if (kind === 'new-order') this.take(signed, response);
    else if (!order) throw new Refused('malformed', 'There is no such order.', 404);
    else if (kind === 'finalize') await this.finalize(Number(index), order, signed, response);
    else if (kind === 'challenge') {
      if (signed.payload) await this.look(order, Number(part), signed.account);
      this.send(response, 200, this.authorization(Number(index), order, Number(part)).challenges[0]);
    } else {
      if (signed.payload) throw new Refused('malformed', 'It must be a POST-as-GET.');
      if (kind === 'order') this.send(response, 200, this.show(Number(index), order));
      else if (kind === 'authorization')
        this.send(response, 200, this.authorization(Number(index), order, Number(part)));
      else response.setHeader('Content-Type', 'application/pem-certificate-chain').end(order.chain);
    }
  }

  private openAccount({ account, payload }: Signed, response: ServerResponse): void {
    if (payload?.termsOfServiceAgreed !== true)
      throw new Refused('userActionRequired', 'The terms were not agreed to.', 403);
    this.contacts.push(payload.contact);
    response.setHeader('Location', account);
    this.send(response, 201, { status: 'valid' });
  }

  private take({ payload }: Signed, response: ServerResponse): void {
    if (this.isBusy) {
      response.setHeader('Retry-After', '3600');
      throw new Refused('rateLimited', 'Too many certificates were issued for this name.', 429);
    }
    const identifiers = payload?.identifiers as { type: string; value: string }[];
    if (identifiers.some(({ type }) => type !== 'dns'))
      throw new Refused('unsupportedIdentifier', 'Only names get certificates.');
    const names = identifiers.map(({ value }) => value);
    const challenges = names.map((name) => {
      return { name, token: randomBytes(16).toString('base64url'), status: 'pending' as const };
    });
    const order: Order = { status: 'pending', names, challenges };
    const index = this.orders.push(order) - 1;
    response.setHeader('Location', `${this.origin}/order/${index}`);
    this.send(response, 201, this.show(index, order));
  }

  /** Asks the service for the answer to a challenge, as of the name it is for (section 8.3). */
  private async look(order: Order, part: number, account: string): Promise<void> {
    const challenge = order.challenges[part];
    const jwk = this.accounts.get(account);
    if (!challenge || !jwk) throw new Refused('malformed', 'There is no such challenge.', 404);
    const path = `/.well-known/acme-challenge/${challenge.token}`;
    const found = await textAt(this.challengePort, path, challenge.name);
    const isMet = found === `${challenge.token}.${thumbprintOf(jwk)}`;
    challenge.status = isMet ? 'valid' : 'invalid';
    if (order.challenges.every(({ status }) => status === 'valid')) order.status = 'ready';
    if (!isMet) order.status = 'invalid';
  }

  private async finalize(index: number, order: Order, { payload }: Signed, response: ServerResponse): Promise<void> {
    if (order.status !== 'ready') throw new Refused('orderNotReady', 'A challenge is open.', 403);
    const request = new Pkcs10CertificateRequest(Buffer.from(String(payload?.csr), 'base64url'));
    if (!(await request.verify())) throw new Refused('badCSR', 'It is signed with another key.');
    const asked = request.extensions.find((each) => each instanceof SubjectAlternativeNameExtension);
    const names = (asked?.names.items ?? []).map(({ value }) => value);
    if (names.sort().join() !== [...order.names].sort().join())
      throw new Refused('badCSR', 'The CSR is for other names than the order.');
    const [from, to] = [Date.now() - 60_000, Date.now() + this.lifeMs];
    const { publicKey } = request;
    const { cert } = await makeCertificate({ names, publicKey, issuer: this.root, from, to });
    order.chain = cert + this.root.cert;
    order.status = 'valid';
    this.issued.push(order.names);
    this.send(response, 200, this.show(index, order));
  }

  private show(index: number, order: Order) {
    return {
      status: order.status,
      identifiers: order.names.map((value) => ({ type: 'dns', value })),
      authorizations: order.names.map((_, part) => `${this.origin}/authorization/${index}/${part}`),
      finalize: `${this.origin}/finalize/${index}`,
      ...(order.chain ? { certificate: `${this.origin}/certificate/${index}` } : {}),
    };
  }

  private authorization(index: number, order: Order, part: number) {
    const { name, token, status } = order.challenges[part] ?? { name: '', token: '', status: 'invalid' };
    const url = `${this.origin}/challenge/${index}/${part}`;
    const error = status === 'invalid' ? { error: { detail: `The answer of ${name} on port 80 is wrong.` } } : {};
    return {
      status,
      identifier: { type: 'dns', value: name },
      challenges: [{ type: 'http-01', url, token, status, ...error }],
    };
  }

  private send(response: ServerResponse, status: number, body: unknown): void {
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  }
}

/** Returns the thumbprint of a key on the curve P-256 (RFC 7638). */
const thumbprintOf = ({ crv, kty, x, y }: JsonWebKey) => idOf(JSON.stringify({ crv, kty, x, y }));

/** Returns what a port of this machine says for a host name; null when nothing answers. */
function textAt(port: number, path: string, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    get({ host: '127.0.0.1', port, path, headers: { host }, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        resolve(response.statusCode === 200 ? text : null);
      });
    }).on('error', () => {
      resolve(null);
    });
  });
}
