import { Injectable, Logger } from '@nestjs/common';
import { OperatorPost } from '../../people/members/operator-post.service.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/task-runner.js';
import { Config } from '../../platform/config/config.js';
import { DoctorService } from './doctor.service.js';
import { SERVICE_LOOK_MS } from '../../health/finding.js';
import { HealthService } from '../../health/health.service.js';
import { button, paragraph, type Content } from '../../mail/parts/layout.js';

/** Checks whose trouble operators hear of elsewhere. */
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(['backups']);

/** Mails operators once when a quick check of the doctor fails at two looks in a row, and once when it is well again. */
@Injectable()
export class OperatorAlarms {
  private readonly logger = new Logger(OperatorAlarms.name);

  constructor(
    private readonly doctor: DoctorService,
    private readonly health: HealthService,
    private readonly post: OperatorPost,
    private readonly config: Config,
  ) {}

  @BackgroundTask('look for alarms', SERVICE_LOOK_MS)
  async look({ now }: TaskRun): Promise<void> {
    const checked = await this.doctor.examineQuickly();
    const failed = checked.filter(
      ({ name, state }) => state === 'failed' && !TOLD_ELSEWHERE.has(name),
    );
    const found = failed.map(({ name, detail }) => ({ code: name, text: detail }));
    await this.health.tellOfService(found, now, (check, isWell) => {
      const detail = checked.find(({ name }) => name === check)?.detail ?? '';
      this.logger.warn(isWell ? 'A check is well again' : 'A check fails', { check, detail });
      const key = `alarm-${check.replaceAll(' ', '-')}-${now.getTime()}`;
      return this.post.send(key, checkMail({ check, isWell, detail }, this.config.baseUrl));
    });
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
