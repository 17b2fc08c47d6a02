import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SpamLessons, type MarkedSubmission } from '../../spam/learning/spam-lessons.service.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { MarksRepository } from './marks.repository.js';
import { isValued } from '../../submissions/filter/mark-names.js';
import { BackgroundTask, type TaskRun } from '../../platform/background/background-task.js';
import { inPortions } from '../../platform/background/portions.js';
import { SECOND_MS } from '../../platform/kernel/time/durations.js';

/** Reads marks together with what was submitted, for the spam filter to learn from. */
@Injectable()
export class MarkedSubmissions {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly marks: MarksRepository,
    private readonly lessons: SpamLessons,
  ) {}

  /** Has the filter learn from marks that were set or taken back since. */
  @BackgroundTask('learn from marks', SECOND_MS)
  async learn({ signal }: TaskRun): Promise<void> {
    await inPortions(() => this.lessons.learnSome((tx, ids) => this.read(tx, ids)), signal);
  }

  /** Reads those of these submissions, of whatever forms, that are still there, as `loadInOrder` does. */
  async *read(tx: EntityManager, ids: readonly Buffer[]): AsyncGenerator<MarkedSubmission[]> {
    const marks = await this.marks.in(tx).of(ids);
    for await (const some of this.submissions.in(tx).loadOfAll(ids)) {
      yield some.map(({ id, spam, done, values }) => ({
        id,
        isSpam: spam,
        isKept: done || isValued(marks.get(id.toString('latin1')) ?? []),
        fields: values.toText(),
      }));
    }
  }
}
