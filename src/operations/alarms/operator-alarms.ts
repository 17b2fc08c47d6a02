import { Injectable, Logger } from '@nestjs/common';
import { OperatorPost } from '../../people/members/operator-post.service.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/task-runner.js';
import { Config } from '../../platform/config/config.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { MINUTE_MS } from '../../platform/kernel/time.js';
import { DoctorService } from '../doctor/doctor.service.js';
import { OperatorAlarmsRepository } from './operator-alarms.repository.js';
import { button, paragraph, type Content } from '../../mail/parts/layout.js';

const LOOK_EVERY_MS = 10 * MINUTE_MS;
/** Age in milliseconds of a failure that a second look finds. */
const SECOND_LOOK_MS = LOOK_EVERY_MS - MINUTE_MS;
/** Time in milliseconds in which each process looks once: what none found failed meanwhile is well. */
const GAP_MS = 1.5 * LOOK_EVERY_MS;
/** Checks whose trouble operators hear of elsewhere. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(['backups']);

/** Mails operators once when a quick check of the doctor fails at two looks in a row, and once when it is well again. */
@Injectable()
export class OperatorAlarms {
  private readonly logger = new Logger(OperatorAlarms.name);

  constructor(
    private readonly doctor: DoctorService,
    private readonly rows: OperatorAlarmsRepository,
    private readonly post: OperatorPost,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  @BackgroundTask('look for alarms', LOOK_EVERY_MS)
  async look({ now }: TaskRun): Promise<void> {
    const before = (ms: number) => new Date(now.getTime() - ms);
    const findings = (await this.doctor.examineQuickly()).filter(
      ({ name }) => !TOLD_ELSEWHERE.has(name),
    );
    const failed = findings.filter(({ state }) => state === 'failed');
    for (const { name, detail } of failed) {
      const isNew = await this.unitOfWork.run(async (tx) => {
        const rows = this.rows.in(tx);
        await rows.see(name, now, before(GAP_MS));
        return rows.claimFailed(name, before(SECOND_LOOK_MS), now);
      });
      if (!isNew) continue;
      this.logger.warn('A check fails', { check: name, detail });
      if (!(await this.send({ check: name, isWell: false, detail }, now))) continue;
      await this.unitOfWork.run((tx) => this.rows.in(tx).tell(name, now));
    }
    for (const { check, toldAt } of await this.rows.list()) {
      if (failed.some(({ name }) => name === check)) continue;
      const isOver = await this.unitOfWork.run((tx) =>
        this.rows.in(tx).claimWell(check, before(GAP_MS), now),
      );
      if (!isOver) continue;
      if (toldAt !== null) {
        const detail = findings.find(({ name }) => name === check)?.detail ?? '';
        this.logger.log('A check is well again', { check, detail });
        if (!(await this.send({ check, isWell: true, detail }, now))) continue;
      }
      await this.unitOfWork.run((tx) => this.rows.in(tx).end(check, now));
    }
  }

  private send(told: CheckTold, now: Date): Promise<boolean> {
    const key = `alarm-${told.check.replaceAll(' ', '-')}-${now.getTime()}`;
    return this.post.send(key, checkMail(told, this.config.baseUrl));
  }
}

/** A check that fails or is well again, for a mail. */
interface CheckTold {
  /** Its name, such as `disk space`. */
  check: string;
  isWell: boolean;
  detail: string;
}

/** Writes what operators are told of a check. */
function checkMail({ check, isWell, detail }: CheckTold, baseUrl: string): Content {
  return {
    subject: isWell ? `Well again: ${check}` : `Check failed: ${check}`,
    blocks: [
      paragraph(detail),
      button('Open Status', `${baseUrl}/status`),
      ...(isWell ? [] : [paragraph('We send another email when it is well again.')]),
    ],
  };
}
