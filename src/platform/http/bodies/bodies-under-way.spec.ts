import { Readable } from 'node:stream';
import { Config } from '../../config/config.js';
import { BodiesUnderWay, type AdmittedRequest, type BodyUnderWay } from './bodies-under-way.js';

const MIB = 1024 * 1024;
const LIMIT = 8 * MIB;
const config = Config.from({});

/** A request of a token, or of a stranger at an address. */
function requestOf(sender: { account: number; token: number } | string): AdmittedRequest {
  const isStranger = typeof sender === 'string';
  return Object.assign(new Readable({ read: () => undefined }), {
    headers: {},
    socket: { remoteAddress: isStranger ? sender : '127.0.0.1' },
    ...(!isStranger && {
      user: { accountId: sender.account, clientId: null, actor: { kind: 'token', id: sender.token } },
    }),
  }) as unknown as AdmittedRequest;
}

const begun: BodyUnderWay[] = [];
afterEach(() => {
  for (const body of begun.splice(0)) body.end();
});

/** Sends bytes of a body that does not end; resolves with the code of its refusal, null without one. */
async function send(bodies: BodiesUnderWay, request: AdmittedRequest, bytes: number) {
  const body = bodies.begin(request, LIMIT);
  let code: string | null = null;
  request.on('data', () => undefined);
  body.watch(request, (error) => (code = (error as Error & { code: string }).code));
  const arrived = new Promise((resolve) => request.once('data', resolve));
  request.push(Buffer.alloc(bytes));
  await arrived;
  begun.push(body);
  return { body, code };
}

const codeOf = async (...sent: Parameters<typeof send>) => (await send(...sent)).code;

describe('Memory for bodies', () => {
  it('is a quarter for an account, a quarter of that for a token, and free again at the end', async () => {
    const bodies = new BodiesUnderWay(config);
    const all = [];
    for (let account = 1; account <= 4; account++) {
      for (let token = 1; token <= 4; token++) {
        all.push(await send(bodies, requestOf({ account, token }), LIMIT));
      }
      expect(await codeOf(bodies, requestOf({ account, token: 1 }), 1)).toBe('too_many_at_once');
    }
    expect(all.map(({ code }) => code)).toEqual(all.map(() => null));
    expect(await codeOf(bodies, requestOf({ account: 5, token: 1 }), 1)).toBe('overloaded');

    for (const { body } of all) body.end();
    for (const { body } of all) begun.splice(begun.indexOf(body), 1);
    expect(await codeOf(bodies, requestOf({ account: 5, token: 1 }), LIMIT)).toBe(null);
  });

  it('is for strangers of a network, a /64, and of all networks together', async () => {
    const bodies = new BodiesUnderWay(config);
    expect(await codeOf(bodies, requestOf('2001:db8::1'), MIB)).toBe(null);
    expect(await codeOf(bodies, requestOf('2001:db8::2'), 1)).toBe('too_many_at_once');
    for (let i = 1; i < 32; i++) {
      expect(await codeOf(bodies, requestOf(`10.0.0.${i}`), MIB)).toBe(null);
    }
    expect(await codeOf(bodies, requestOf('10.0.0.99'), 1)).toBe('overloaded');
    expect(await codeOf(bodies, requestOf({ account: 1, token: 1 }), MIB)).toBe(null);
  });
});
