import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  isInIndex,
  isInIndexOf,
  type SubmissionFilter,
} from '../../submissions/filter/submission-filter.js';
import { SubmissionsRepository } from '../../submissions/rows/submissions.repository.js';
import { TextScan, type Scanned } from '../texts/text-scan.js';
import type { Candidates } from './form-candidates.js';

/** Lists in order what a filter means among some submissions, and tells up to where was searched. */
export interface Searched extends Scanned {
  /** How many were looked at. */
  rows: number;
}

/** Tells which candidates a filter means. */
@Injectable()
export class Matcher {
  constructor(
    private readonly submissions: SubmissionsRepository,
    private readonly texts: TextScan,
  ) {}

  /**
   * Yields what the filter means of each piece; others get a turn between.
   * @param formId the form of all of them; null for whatever forms
   */
  async *matching(
    formId: number | null,
    filter: SubmissionFilter,
    pieces: AsyncIterable<Candidates>,
  ): AsyncGenerator<Searched> {
    const isMeant = formId === null ? isInIndex(filter) : isInIndexOf(formId, filter);
    for await (const piece of pieces) {
      let left = piece.rows;
      if (!isMeant) {
        for await (const { ids, last } of this.among(formId, filter, piece)) {
          const rows = Math.min(ids.length, left);
          yield { ids, rows, last };
          left -= rows;
          await nextTurn();
        }
      }
      yield { ids: isMeant ? piece.ids : [], rows: left, last: piece.last };
      await nextTurn();
    }
  }

  /**
   * Yields those that the filter means. Where the values themselves have to be looked at, it says how far it is after
   * each piece of them: whoever waits is told what there is once their time is over.
   */
  private async *among(
    formId: number | null,
    filter: SubmissionFilter,
    { ids, isSearched }: Candidates,
  ): AsyncGenerator<Scanned> {
    if (ids.length === 0) return;
    const inFolders = await this.submissions.among(formId, filter, ids);
    const last = inFolders.at(-1);
    if (!last) return;
    const isWithWords = isSearched || filter.words.length === 0;
    const pieces = isWithWords
      ? [{ ids: inFolders, last }]
      : this.texts.among(formId, filter.words, inFolders);
    for await (const piece of pieces) {
      if (filter.values.every(({ isFrom }) => isFrom)) yield piece;
      else yield* this.submissions.exact(filter.values, piece.ids);
    }
  }
}
