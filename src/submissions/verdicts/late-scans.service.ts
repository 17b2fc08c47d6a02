import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Holds } from '../../deliveries/holds/holds.service.js';
import type { SubmittedFile } from '../../files/submitted-file.entity.js';
import { UploadScans } from '../../files/upload-scans.service.js';
import { FORM_TOPICS } from '../../forms/model/form-topics.js';
import { FormsService } from '../../forms/forms.service.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { UnitOfWork } from '../../platform/database/unit-of-work.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';
import { Signals } from '../../platform/signals/signals.js';
import { SpamSettings } from '../../spam/judge/spam-settings.js';
import { keyOf } from '../rows/byte-pieces.js';
import { SubmissionsRepository } from '../rows/submissions.repository.js';
import { heldForViruses } from './infections.js';
import { SubmissionVerdict } from './submission-verdict.entity.js';
import { VerdictsRepository } from './verdicts.repository.js';
import { storedVerdict } from './verdicts.service.js';

/** Has files scanned that no scan was made of when they came, and holds the submissions of infected ones. */
@Injectable()
export class LateScans {
  constructor(
    private readonly scans: UploadScans,
    private readonly forms: FormsService,
    private readonly submissions: SubmissionsRepository,
    private readonly verdicts: VerdictsRepository,
    private readonly holds: Holds,
    private readonly unitOfWork: UnitOfWork,
    private readonly signals: Signals,
  ) {}

  /** Scans what waits for it. What went out before stays out; what is withheld stays so until a person decides. */
  @BackgroundTask('scan files', 30 * SECOND_MS)
  async scan({ now, signal }: TaskRun): Promise<void> {
    for await (const { file, scan } of this.scans.again(now, signal)) {
      await this.unitOfWork.run(async (tx) => {
        if (scan.virus !== null) await this.hold(tx, file, scan.virus);
        await this.scans.save(tx, file, scan);
      });
      if (scan.virus !== null) this.signals.give(FORM_TOPICS.changed, file.formId);
    }
  }

  /** Holds the submission of an infected file, whatever was decided before that was known. */
  private async hold(tx: EntityManager, file: SubmittedFile, virus: string): Promise<void> {
    const { formId, submissionId: id, name } = file;
    await this.forms.lockCount(tx, formId);
    const form = await this.forms.find(formId, tx);
    const submission = form && (await this.submissions.in(tx).find(formId, id));
    if (!submission) return;
    const row = (await this.verdicts.in(tx).of([id])).get(keyOf(id));
    const settings = SpamSettings.of(form);
    const known = storedVerdict(submission, row);
    const verdict = heldForViruses([{ name, scan: { virus } }], known, settings);
    await this.verdicts.in(tx).save(SubmissionVerdict.of(formId, id, verdict));
    if (verdict.band === 'held') await this.holds.hold(tx, [id], null);
  }
}
