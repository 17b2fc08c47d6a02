import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { Config } from '../config/config.js';
import { HOUR_MS, SECOND_MS } from '../kernel/time.js';
import { Hooks } from '../hooks/hooks.js';
import { JobWorker } from './job-worker.js';
import { BackgroundTask, type TaskRun, TaskRunner } from './tasks.js';

const SOON_MS = 60_000;

/** The signal that each task was begun with, in the order of the first begins. */
const begun = new Map<string, AbortSignal | undefined>();
let stillAt: Promise<number> = Promise.resolve(0);
/** Runners that a test began; they end before the next one. */
const made: TaskRunner[] = [];
beforeEach(() => {
  begun.clear();
  stillAt = Promise.resolve(0);
  jest.useFakeTimers();
});
afterEach(async () => {
  for (const tasks of made.splice(0)) {
    tasks.beforeApplicationShutdown();
    await tasks.onApplicationShutdown();
  }
  jest.useRealTimers();
});

function begin(name: string, signal?: AbortSignal): Promise<number> {
  begun.set(name, signal);
  return stillAt;
}

/** Keeps all tasks at their work. @returns ends it */
function keepBusy() {
  let end: (removed: number) => void = () => undefined;
  stillAt = new Promise((resolve) => (end = resolve));
  return end;
}

@Injectable()
class Letters {
  @BackgroundTask('sort letters', HOUR_MS)
  sort({ signal }: TaskRun) {
    return begin('sort letters', signal);
  }

  @BackgroundTask('fetch letters', SECOND_MS)
  fetch({ signal }: TaskRun) {
    return begin('fetch letters', signal);
  }

  read() {
    return begin('read letters');
  }
}

@Injectable()
class Stamps {
  @BackgroundTask('count stamps', SECOND_MS)
  count({ signal }: TaskRun) {
    return begin('count stamps', signal);
  }
}

@Module({})
class Office {}

const TASKS = ['count stamps', 'fetch letters', 'sort letters'];

async function tasksWith(workers: string): Promise<TaskRunner> {
  const config = { provide: Config, useValue: Config.from({ WORKERS: workers }) };
  const jobs = { provide: JobWorker, useValue: { lanes: () => [] } };
  const app = await NestFactory.createApplicationContext(
    { module: Office, imports: [DiscoveryModule], providers: [Hooks, TaskRunner, Letters, Stamps, config, jobs] },
    { logger: false },
  );
  const tasks = app.get(TaskRunner);
  made.push(tasks);
  return tasks;
}

describe('Background tasks', () => {
  it.each([
    ['on', TASKS],
    ['only', TASKS],
    ['off', []],
  ])('with WORKERS=%s run as %j soon after the start', async (workers, names) => {
    await tasksWith(workers);

    await jest.advanceTimersByTimeAsync(SOON_MS);

    expect([...begun.keys()].sort()).toEqual(names);
  });

  it('run all at once on demand, those that run more often first', async () => {
    await (await tasksWith('off')).runAll(new Date());

    expect([...begun.keys()]).toEqual(['fetch letters', 'count stamps', 'sort letters']);
  });

  it('begin nothing that they are still at', async () => {
    await tasksWith('on');
    const done = keepBusy();
    await jest.advanceTimersByTimeAsync(SOON_MS);
    begun.clear();

    await jest.advanceTimersByTimeAsync(3 * HOUR_MS);

    expect([...begun.keys()]).toEqual([]);
    done(0);
  });

  it('are told at once that the process ends, and waited for at last', async () => {
    const tasks = await tasksWith('on');
    const done = keepBusy();
    await jest.advanceTimersByTimeAsync(SOON_MS);
    let ended = false;

    tasks.beforeApplicationShutdown();
    const end = tasks.onApplicationShutdown().then(() => (ended = true));
    await jest.advanceTimersByTimeAsync(SOON_MS);

    const signals = [...begun.values()];
    expect(signals.map((signal) => signal?.aborted)).toEqual(TASKS.map(() => true));
    expect(ended).toBe(false);
    done(1);
    await end;
    begun.clear();
    await jest.advanceTimersByTimeAsync(2 * HOUR_MS);
    expect(begun.size).toBe(0);
  });
});
