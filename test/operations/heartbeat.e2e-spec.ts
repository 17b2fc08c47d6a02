import { Delivery } from '../../src/deliveries/model/delivery.entity.js';
import { Heartbeat } from '../../src/operations/heartbeat/heartbeat.js';
import { Config } from '../../src/platform/config/config.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { WriterOverloaded } from '../../src/submissions/model/submission.errors.js';
import { SubmissionIntake } from '../../src/submissions/storage/submission-intake.service.js';
import { MINUTE_MS, useClock } from '../support/clock.js';
import { useOwnDatabases } from '../support/own-database.js';
import type { Service } from '../support/service.js';
import { problemsOf } from '../support/settings.js';
import { answers, WebhookReceiver } from '../support/webhook-receiver.js';

const clock = useClock();
const { start } = useOwnDatabases();
let monitor: WebhookReceiver;
let service: Service;
beforeEach(async () => {
  monitor = await WebhookReceiver.start();
  const HEARTBEAT_URL = `http://127.0.0.1:${monitor.port}/ping/the-secret?status=up`;
  service = await start({ WORKERS: 'off', HEARTBEAT_URL });
});
afterEach(() => monitor.close());

const beat = () => service.app.get(Heartbeat).beat();
/** Returns the reasons that the log has given so far. */
const reasons = () =>
  service.log
    .split('\n')
    .filter((line) => line.includes('The heartbeat is not heard'))
    .map((line) => (JSON.parse(line) as { reason: string }).reason);
const UNHEARD = 'HEARTBEAT_URL does not hear it.';
const told = (what: string) => service.log.split(what).length - 1;

describe('The heartbeat', () => {
  it('calls its address as it was given while all is well, and logs nothing', async () => {
    await beat();
    await beat();
    expect(monitor.calls.map(({ path }) => path)).toEqual(['/ping/the-secret?status=up', '/ping/the-secret?status=up']);
    expect(told('heartbeat')).toBe(0);
  });

  it('stops while no submissions are taken', async () => {
    const full = jest.spyOn(service.app.get(SubmissionIntake), 'assertRoom');
    full.mockImplementation(() => {
      throw new WriterOverloaded();
    });
    await beat();
    await beat();
    expect(monitor.calls).toEqual([]);
    expect(reasons()).toEqual(['The queue of submissions is full.']);
    full.mockRestore();
    await beat();
    expect(monitor.calls).toHaveLength(1);
    expect(told('The heartbeat is heard again')).toBe(1);
  });

  it('stops while the database takes no writes', async () => {
    const writes = jest.spyOn(service.app.get(UnitOfWork), 'runStatements');
    writes.mockRejectedValue(new Error('gone'));
    await beat();
    await beat();
    writes.mockRestore();
    expect(monitor.calls).toEqual([]);
    expect(reasons()).toEqual(['The database takes no writes.']);
  });

  it('stops once a delivery is ten minutes late', async () => {
    const owner = await service.openAccount();
    const form = await owner.makeForm({ notify_owner_emails: 'ada@example.com' });
    await service.submit(form, { a: '1' });
    await beat();
    expect(monitor.calls).toHaveLength(1);
    clock.forward(11 * MINUTE_MS);
    await beat();
    expect(monitor.calls).toHaveLength(1);
    expect(reasons()).toEqual(['Deliveries are more than ten minutes late.']);
    const deliveries = service.repository(Delivery);
    // The receivers of calls belong to tenants.
    await deliveries.createQueryBuilder().update().set({ kind: 'webhook' }).execute();
    await beat();
    expect(monitor.calls).toHaveLength(2);
  });

  it('says once that the monitor does not hear it, without its address', async () => {
    const { port } = monitor;
    for (const behaviour of [answers(500), answers(302, '', { Location: monitor.url })]) {
      monitor.behaviour = behaviour;
      await beat();
    }
    expect(monitor.calls).toHaveLength(2);
    expect(reasons()).toEqual([UNHEARD]);
    expect(service.log).toContain('status 500');
    await monitor.close();
    await beat();
    expect(reasons()).toEqual([UNHEARD]);
    monitor = await WebhookReceiver.start();
    expect(service.log).not.toMatch(new RegExp(`the-secret|${port}/ping`));
  });

  it('beats once a minute in each process that takes requests, and in no other', () => {
    const every = jest.spyOn(globalThis, 'setInterval');
    const begins = (settings: Record<string, string>) => {
      every.mockClear();
      const config = Config.from({ HEARTBEAT_URL: 'https://hc-ping.com/x', ...settings });
      const other = Object.create(Heartbeat.prototype) as Heartbeat;
      Object.assign(other, { config });
      other.onApplicationBootstrap();
      other.beforeApplicationShutdown();
      return every.mock.calls.map(([, ms]) => ms);
    };
    expect(begins({})).toEqual([MINUTE_MS]);
    expect(begins({ WORKERS: 'off' })).toEqual([MINUTE_MS]);
    expect(begins({ WORKERS: 'only' })).toEqual([]);
    expect(begins({ HEARTBEAT_URL: '' })).toEqual([]);
  });

  it.each(['hc-ping.com/x', 'ftp://hc-ping.com/x', 'https://me:secret@hc-ping.com/x', 'https://'])(
    'has an address that can be called: not %s, which no error repeats',
    (url) => {
      const [problem, ...others] = problemsOf({ HEARTBEAT_URL: url });
      expect(problem).toMatch(/^HEARTBEAT_URL must be an http or https URL/);
      expect(problem).not.toContain('secret@');
      expect(others).toEqual([]);
    },
  );
});
