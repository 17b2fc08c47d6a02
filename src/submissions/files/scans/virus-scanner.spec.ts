import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ClamdStub, EICAR, VIRUS } from '../../../../test/support/clamd-stub.js';
import { ClamdRefused, ClamdSilent, pingClamd, scanByClamd } from './virus-scanner.js';

const MIB = 1024 * 1024;
const SOON_MS = 50;

let clamd: ClamdStub;
beforeEach(async () => {
  clamd = new ClamdStub();
  await clamd.listen();
});
afterEach(async () => {
  await clamd.close();
  expect(clamd.broken).toEqual([]);
});

const at = () => ({ host: '127.0.0.1', port: clamd.port });
const never = () => new AbortController().signal;
const scan = (...chunks: (Buffer | string)[]) =>
  scanByClamd(at(), Readable.from(chunks.map((chunk) => Buffer.from(chunk))), never());

describe('A scan', () => {
  it('takes what clamd cannot scan for unscanned', async () => {
    clamd.mood = 'error';
    await expect(scan('x')).rejects.toThrow(new ClamdRefused("It answers: stream: Can't allocate memory ERROR."));
  });

  it('ends when clamd hangs up half way', async () => {
    clamd.mood = 'hang-up';
    const chunks = Array.from({ length: 20 }, () => Buffer.alloc(MIB));
    const found = scan(...chunks);
    await expect(found).rejects.toThrow('It hangs up without an answer.');
    await expect(found).rejects.toBeInstanceOf(ClamdRefused);
  });

  it('says why clamd cannot be reached', async () => {
    const { port } = clamd;
    const nowhere = { host: '127.0.0.1', port: port === 1 ? 2 : 1 };
    const found = scanByClamd(nowhere, Readable.from([Buffer.from('x')]), never());
    await expect(found).rejects.toThrow(/ECONNREFUSED/);
    await expect(found).rejects.toBeInstanceOf(ClamdSilent);
  });

  it('takes the address of a socket', async () => {
    const local = new ClamdStub();
    const path = join(tmpdir(), `clamd-${randomBytes(6).toString('hex')}.ctl`);
    await local.listen(path);
    expect(await scanByClamd({ path }, Readable.from([Buffer.from(EICAR)]), never())).toBe(VIRUS);
    await local.close();
  });
});

it('A ping tells that clamd is there, or silent', async () => {
  await pingClamd(at(), never());
  expect(clamd.pings).toBe(1);
  clamd.mood = 'silent';
  const ping = pingClamd(at(), AbortSignal.timeout(SOON_MS));
  await expect(ping).rejects.toThrow('It does not respond in time.');
});
