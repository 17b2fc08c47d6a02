import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { MarkedSubmission } from '../../spam/learning/spam-lessons.service.js';
import { SubmissionsRepository } from '../submissions.repository.js';
import { MarksRepository } from './marks.repository.js';
import { isValued } from './mark-names.js';

/** Reads marks together with what was submitted, for the spam filter to learn from. */
@Injectable()
export class MarkedSubmissions {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly marks: MarksRepository,
  ) {}

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
