import { judgeClock, DatabaseChecks, judgePacket, judgeSpace } from './database.checks.js';
import { judgeMailFlow } from './work.checks.js';

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

describe('The clock of the database server', () => {
  it.each([
    [4_900, 'ok', 'is 4.9 s ahead of'],
    [-4_900, 'ok', 'is 4.9 s behind'],
    [5_100, 'failed', 'is 5.1 s ahead of'],
    [-3_600_000, 'failed', 'is 3600.0 s behind'],
    [NaN, 'failed', ''],
  ])('that is %d ms ahead is %s', (aheadMs, state, words) => {
    const found = judgeClock(aheadMs);

    expect(found.state).toBe(state);
    expect(found.detail).toContain(words);
  });
});

it.each([
  ['ok', 20, 100],
  ['warning', 9, 100],
  ['warning', 3, 10],
  ['failed', 1.9, 100],
  ['failed', 0.9, 2],
])('Disk space is %s with %d of %d GiB free', (state, free, size) => {
  const found = judgeSpace('DATA_DIR', { free: free * GIB, size: size * GIB });

  expect(found.state).toBe(state);
  const room = free < 1 ? `${Math.floor(free * 1024)} MiB` : `${free.toFixed(1)} GiB`;
  expect(found.detail).toContain(`${room} free`);
  expect(found.detail.includes('Enlarge the disk')).toBe(state !== 'ok');
});

describe('The packet size of the database server', () => {
  it.each([
    ['ok', 4 * MIB, MIB],
    ['warning', 4 * MIB - 1, MIB],
    ['warning', MIB, 8 * MIB],
    ['ok', 16 * MIB, 8 * MIB],
  ])('is %s with %d bytes for submissions of %d', (state, packet, body) => {
    const found = judgePacket(packet, body);

    expect(found.state).toBe(state);
    expect(found.detail).toContain(`max_allowed_packet=${packet} MAX_BODY_BYTES=${body}`);
  });
});

describe('The flow of mails', () => {
  const NONE = { accepted: 0, failed: 0, waiting: 0, acceptedBefore: 0 };
  it.each([
    ['ok', NONE],
    ['ok', { ...NONE, failed: 1, waiting: 1, acceptedBefore: 50 }],
    ['failed', { ...NONE, failed: 1, waiting: 2, acceptedBefore: 50 }],
    ['ok', { ...NONE, waiting: 9 }],
    ['ok', { ...NONE, accepted: 1, waiting: 9, acceptedBefore: 50 }],
    ['ok', { ...NONE, accepted: 18, failed: 2 }],
    ['warning', { ...NONE, accepted: 17, failed: 3 }],
    ['ok', { ...NONE, accepted: 16, failed: 3 }],
    ['failed', { ...NONE, accepted: 9, failed: 11 }],
  ])('is %s with %j', (state, flow) => {
    expect(judgeMailFlow(flow).state).toBe(state);
  });
});

describe('The durability of commits', () => {
  const look = (isEmbedded: boolean, settings: Record<string, string>) => {
    // These checks read two members of one argument alone.
    const database = { isEmbedded, settings: () => Promise.resolve(settings) };
    const of = [database] as unknown as ConstructorParameters<typeof DatabaseChecks>;
    const checks = new DatabaseChecks(...of);
    return isEmbedded ? checks.durabilityOfFile() : checks.durability();
  };

  it.each([
    ['1', '1', '1', 'ok', ''],
    ['2', '0', '0', 'warning', 'set innodb_flush_log_at_trx_commit=1'],
    ['0', '1', '1', 'warning', 'set innodb_flush_log_at_trx_commit=1'],
    ['1', '1', '0', 'warning', 'set sync_binlog=1'],
    ['1', '1', '100', 'warning', 'set sync_binlog=1'],
  ])('of a server with flush %s, log %s, sync %s is %s', async (flush, binlog, sync, state, fix) => {
    const found = await look(false, { innodb_flush_log_at_trx_commit: flush, log_bin: binlog, sync_binlog: sync });

    expect(found?.state).toBe(state);
    expect(found?.detail).toContain(fix);
  });

  it.each([
    ['wal', '2', 'ok'],
    ['wal', '3', 'ok'],
    ['wal', '1', 'failed'],
    ['delete', '2', 'failed'],
  ])('of the embedded database with %s and %s is %s', async (mode, synchronous, state) => {
    expect((await look(true, { journal_mode: mode, synchronous }))?.state).toBe(state);
  });
});
