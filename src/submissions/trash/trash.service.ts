import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { BackgroundTask, type TaskRun, inPortions, Config, DAY_MS, LOWEST_UUID } from '../../platform/index.js';
import { UnitOfWork } from '../../platform/database/index.js';
import { ActsRecorded, type ActOnMany } from '../acts/submission-acts.service.js';
import { TrashRepository, type TrashFolder } from './trash.repository.js';

/** Parts of the trash, each in the order of its ids in the index of lists. */
const FOLDERS: readonly TrashFolder[] = [false, true].flatMap((spam) => [false, true].map((done) => ({ spam, done })));

/** Keeps since when submissions are in the trash, until they are restored or erased. */
@Injectable()
export class Trash {
  constructor(
    private readonly trash: TrashRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: Config,
  ) {}

  /** Returns when a submission in the trash is erased; null where it stays. */
  async erasedAt(submission: { id: Buffer; trash: boolean }): Promise<Date | null> {
    const { trashDays } = this.config;
    const since = submission.trash && trashDays > 0 ? await this.trash.since(submission.id) : null;
    return since && new Date(since.getTime() + trashDays * DAY_MS);
  }

  /** Keeps what acts move into the trash and out of it, in their transaction. */
  @ActsRecorded()
  async follow(tx: EntityManager, formId: number, acts: readonly ActOnMany[]): Promise<void> {
    const idsOf = (kind: ActOnMany['kind']) => acts.filter((act) => act.kind === kind).flatMap(({ ids }) => ids);
    const [gone, back] = [idsOf('trashed'), idsOf('restored')];
    // Also of those that go there: a version that kept no times may have restored them before.
    if (gone.length + back.length > 0) await this.trash.in(tx).remove([...gone, ...back]);
    if (gone.length > 0) await this.trash.in(tx).insert(formId, gone, this.unitOfWork.now());
  }

  /** Finds what older versions moved to the trash, and counts its time from now on. */
  @BackgroundTask('find trash', DAY_MS)
  async find({ now, signal }: TaskRun): Promise<void> {
    if (this.config.trashDays === 0) return;
    for (const formId of await this.trash.formIds()) {
      for (const folder of FOLDERS) await this.findIn(formId, folder, now, signal);
    }
  }

  private async findIn(formId: number, folder: TrashFolder, now: Date, signal?: AbortSignal) {
    let after: Buffer = LOWEST_UUID;
    await inPortions(async (rows) => {
      const found = await this.trash.after(formId, folder, after, rows);
      const ids = found.filter(({ isKept }) => !isKept).map(({ id }) => id);
      if (ids.length > 0) {
        await this.unitOfWork.run((tx) => this.trash.in(tx).insert(formId, ids, now));
      }
      after = found.at(-1)?.id ?? after;
      return found.length;
    }, signal);
  }
}
