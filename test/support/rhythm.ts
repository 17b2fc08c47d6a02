import { AlarmsService } from '../../src/health/alarms.service.js';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { Counting } from '../../src/statistics/counting.service.js';
import type { Sums } from '../../src/statistics/sums.js';
import { WatchService } from '../../src/health/watch/watcher.js';
import { HOUR_MS, MINUTE_MS, type TestClock } from './clock.js';
import type { FormBody, Caller, Service } from './service.js';

/** Gives forms a history of counts, and has them looked at. */
export class Rhythms {
  constructor(
    private readonly service: () => Service,
    private readonly clock: TestClock,
  ) {}

  /** Counts what a form received so many hours ago, as if it had come then. */
  async receive(
    { id: formId }: Pick<FormBody, 'id'>,
    hoursAgo: readonly number[],
    counted: Partial<Sums> = { submissions: 1 },
  ): Promise<void> {
    const now = Math.floor(this.clock.now().getTime() / HOUR_MS);
    const changes = hoursAgo.map((ago) => ({ formId, hour: now - ago, ...counted }));
    const { app } = this.service();
    const counting = app.get(Counting);
    await app.get(UnitOfWork).run((tx) => counting.addReceived(tx, changes));
  }

  /** Lets a form have received one submission every so many hours for some weeks, the last one an hour ago. */
  liveEvery(form: Pick<FormBody, 'id'>, hours: number, weeks = 10): Promise<void> {
    const amount = Math.floor((weeks * 7 * 24) / hours);
    return this.receive(
      form,
      Array.from({ length: amount }, (_, n) => 1 + n * hours),
    );
  }

  /** Looks at the forms that are due. */
  look(): Promise<void> {
    return this.service().app.get(WatchService).look({ now: this.clock.now() });
  }

  /** Looks at the forms that are due, and has their owners told. */
  async tell(): Promise<void> {
    await this.look();
    await this.service().app.get(AlarmsService).tell({ now: this.clock.now() });
    await this.service().sendDue();
  }

  /** Goes on until the silence of a form is improbable. */
  async fallSilent(owner: Caller, form: FormBody): Promise<void> {
    this.clock.forwardTo((await watchOf(owner, form)).silent_from);
    this.clock.forward(MINUTE_MS);
  }
}

/** Returns how a form is watched, as the API shows it. */
export const watchOf = async (
  owner: Caller,
  { identifier }: FormBody,
): Promise<{ silent_from: string | null; state: string }> =>
  (await owner.read(`/api/v1/forms/${identifier}/watch`)).watch;
