import { RawClient, requestText } from '../support/raw-client.js';
import { storedNames } from '../support/stored-files.js';
import { multipart } from '../support/submit.js';
import { until } from '../support/until.js';
import { inFull } from './kit/duration.js';
import { useServices } from './kit/scene.js';
import { expectNothingLost } from './kit/tally.js';

const CLIENTS = 4;
const STEP = 1_000;
/** Bytes of the second of two files. */
const LARGE = inFull(500_000, 50_000);
const AT_ONCE = 20;

const { start, sendTo } = useServices();

describe('Uploads that are cut off', () => {
  it('S-03: leave no file, on disk or open, at whatever byte they end', async () => {
    const service = await start();
    const loaded = await service.makeForm();
    const ledger = sendTo(loaded, [service]);
    ledger.start(CLIENTS);
    await ledger.untilAcknowledged();

    const form = await service.makeForm();
    const { type = '', body = '' } = multipart(
      [['a', '1']],
      [
        { field: 'f', name: 'one', bytes: 'x'.repeat(3_000) },
        { field: 'f', name: 'two', bytes: Buffer.alloc(LARGE, 'y') },
      ],
    );
    const bytes = Buffer.from(body);
    const head = requestText(`/f/${form}`, [`Content-Type: ${type}`, `Content-Length: ${bytes.length}`]);
    const send = async (end: number) => {
      const client = await RawClient.to(service.url);
      await client.flush(head);
      if (end > 0) await client.flush(bytes.subarray(0, end));
      await client.abort();
    };
    const cuts = stages(bytes);
    for (let i = 0; i < cuts.length; i += AT_ONCE) {
      await Promise.all(cuts.slice(i, i + AT_ONCE).map(send));
    }
    const files = () => storedNames({ config: service });
    await until(async () => (await files()).length + (await service.openFiles()) === 0);
    await send(bytes.length); // whole: it may be stored, and then has both its files
    const stored = async () => {
      const { body } = await service.owner.get(`/api/v1/forms/${form}`).expect(200);
      return body.submission_count;
    };
    await until(async () => {
      const [kept, open] = [await files(), await service.openFiles()];
      const arrived = kept.every((name) => name.startsWith('kept/'));
      return open === 0 && arrived && kept.length === 2 * (await stored());
    });
    expect(await stored()).toBeLessThanOrEqual(1);

    await ledger.stop();
    await expectNothingLost(`S-03 ${cuts.length} uploads cut off`, ledger, service.owner, loaded);
  });
});

/** Every thousandth byte, and each of those around a line's end: headers, boundaries, the last one. */
function stages(body: Buffer): number[] {
  const cuts = new Set<number>();
  for (let end = 0; end < body.length; end += STEP) cuts.add(end);
  for (let at = body.indexOf('\r\n'); at >= 0; at = body.indexOf('\r\n', at + 1)) {
    for (let end = at; end <= at + 3; end++) if (end < body.length - 2) cuts.add(end);
  }
  return [...cuts].sort((a, b) => a - b);
}
