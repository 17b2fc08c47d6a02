import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { ClamdStub, EICAR, VIRUS } from '../../../test/support/clamd-stub.js';
import { ClamdRefused, ClamdSilent, ClamdTooLarge, pingClamd, scanByClamd } from './clamd.js';

const MIB = 1024 * 1024;
const SOON_MS = 50;

let clamd: ClamdStub;
beforeEach(async () => {
  clamd = new ClamdStub();
  await clamd.start();
});
afterEach(async () => {
  await clamd.stop();
  expect(clamd.broken).toEqual([]);
});

const at = () => ({ host: '127.0.0.1', port: clamd.port });
const never = () => new AbortController().signal;
const scan = (...chunks: (Buffer | string)[]) =>
  scanByClamd(at(), Readable.from(chunks.map((chunk) => Buffer.from(chunk))), never());

describe('A scan', () => {
  it('finds nothing in what is clean, and gives all of it to clamd', async () => {
    const content = [randomBytes(70_000), Buffer.alloc(0), randomBytes(3)];

    expect(await scan(...content)).toBeNull();
    expect(await scan()).toBeNull();
    expect(clamd.contents).toEqual([Buffer.concat(content), Buffer.alloc(0)]);
  });

  it('names the virus, also of what is cut into chunks', async () => {
    expect(await scan('x', EICAR.slice(0, 10), EICAR.slice(10))).toBe(VIRUS);
  });

  it('takes what clamd cannot scan for unscanned', async () => {
    clamd.mood = 'error';
    await expect(scan('x')).rejects.toThrow(
      new ClamdRefused("It answers: stream: Can't allocate memory ERROR."),
    );
  });

  it('knows that clamd takes no more, which it says before all is sent', async () => {
    clamd.maxBytes = 1_000;
    await expect(scan(Buffer.alloc(2_000))).rejects.toBeInstanceOf(ClamdTooLarge);
  });

  it('ends when clamd hangs up half way', async () => {
    clamd.mood = 'hang-up';
    const chunks = Array.from({ length: 20 }, () => Buffer.alloc(MIB));
    const found = scan(...chunks);
    await expect(found).rejects.toThrow('It hangs up without an answer.');
    await expect(found).rejects.toBeInstanceOf(ClamdRefused);
  });

  it('ends when clamd is silent for too long', async () => {
    clamd.mood = 'silent';
    const late = AbortSignal.timeout(SOON_MS);
    await expect(scanByClamd(at(), Readable.from([Buffer.from(EICAR)]), late)).rejects.toThrow(
      new ClamdSilent('It does not respond in time.'),
    );
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
    await local.start(path);
    expect(await scanByClamd({ path }, Readable.from([Buffer.from(EICAR)]), never())).toBe(VIRUS);
    await local.stop();
  });
});

it('A ping tells that clamd is there, or silent', async () => {
  await pingClamd(at(), never());
  expect(clamd.pings).toBe(1);
  clamd.mood = 'silent';
  const ping = pingClamd(at(), AbortSignal.timeout(SOON_MS));
  await expect(ping).rejects.toThrow('It does not respond in time.');
});
