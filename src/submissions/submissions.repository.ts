import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { In, type EntityManager, type Repository } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { inPieces } from './byte-pieces.js';
import {
  conditionOf,
  foldersOf,
  coversWholeFolders,
  type Condition,
  type SubmissionFilter,
} from './submission-filter.js';
import { Submission } from './submission.entity.js';
import { textSizes } from './text-sizes.repository.js';

/** Submissions whose sizes are looked up at once. */
const LOADED_AT_ONCE = 250;
/** Values that are held in memory at once, in bytes; a single submission may have more. */
const LOADED_BYTES = 1024 * 1024;

/** What a form counts, and what there is to count. */
export interface FormCount {
  identifier: string;
  counted: number;
  there: number;
}

/** Submissions by intention; every query carries the form. */
@Injectable()
export class SubmissionsRepository {
  constructor(private readonly source: ReadManager) {}

  in(tx: EntityManager): SubmissionsRepository {
    return new SubmissionsRepository({ manager: tx });
  }

  private get submissions(): Repository<Submission> {
    return this.source.manager.getRepository(Submission);
  }

  /** Whether a transaction that was to store this submission did. */
  isStored(id: Buffer): Promise<boolean> {
    return this.submissions.existsBy({ id });
  }

  find(formId: number, id: Buffer): Promise<Submission | null> {
    return this.submissions.findOneBy({ formId, id });
  }

  /**
   * Reads the submissions of the form among these ids, in the order of the ids, in pieces of at most
   * LOADED_BYTES; others get a turn after each. The form is not a part of the condition: SQLite would
   * rather read all of the form's rows than look up each id.
   */
  async *load(formId: number, ids: readonly Buffer[]): AsyncGenerator<Submission[]> {
    for (let from = 0; from < ids.length; from += LOADED_AT_ONCE) {
      const some = ids.slice(from, from + LOADED_AT_ONCE);
      const sizes = await textSizes(this.source.manager, some, 'payload');
      for (const piece of inPieces(some, sizes, LOADED_BYTES)) {
        const found = await this.submissions.findBy({ id: In(piece) });
        const byId = new Map(found.map((submission) => [keyOf(submission.id), submission]));
        yield piece
          .flatMap((id) => byId.get(keyOf(id)) ?? [])
          .filter((submission) => submission.formId === formId);
        // The embedded database answers at once: without a pause nobody else would get a turn.
        await nextTurn();
      }
    }
  }

  /** Counts what the filter means, at one moment. The largest folder is counted already. */
  async count(formId: number, filter: SubmissionFilter): Promise<number> {
    const sums: Condition[] = foldersOf(filter).map((folder) => {
      if (coversWholeFolders(filter) && !folder.spam && !folder.trash) {
        return { sql: 'SELECT submission_count FROM forms WHERE id = ?', parameters: [formId] };
      }
      const { sql, parameters } = conditionOf(formId, filter, [folder]);
      return { sql: `SELECT COUNT(*) FROM submissions WHERE ${sql}`, parameters };
    });
    const [row] = await this.source.manager.query<{ n: number | string }[]>(
      `SELECT ${sums.map(({ sql }) => `(${sql})`).join(' + ')} AS n`,
      sums.flatMap(({ parameters }) => parameters),
    );
    return Number(row?.n);
  }

  /**
   * What a form counts and how many submissions it has that count, read at one moment: each form has
   * a statement of its own, which submissions may go on beside.
   */
  async *countsByForm(): AsyncGenerator<FormCount> {
    const forms = await this.source.manager.query<{ id: number }[]>('SELECT id FROM forms');
    for (const { id } of forms) {
      const [row] = await this.source.manager.query<FormCount[]>(
        `SELECT identifier, submission_count AS counted, (SELECT COUNT(*) FROM submissions
          WHERE form_id = forms.id AND trash = 0 AND spam = 0) AS there FROM forms WHERE id = ?`,
        [id],
      );
      // Servers send a count as text.
      if (row) yield { ...row, there: Number(String(row.there)) };
    }
  }

  /** Returns the origins for which some of these submissions were taken for spam; each origin once. */
  async refusedOriginsOf(ids: Buffer[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const rows = await this.submissions
      .createQueryBuilder('submission')
      .select('submission.id', 'id')
      .addSelect('submission.origin', 'origin')
      .where({ id: In(ids), spamCode: 'origin_not_allowed' })
      .orderBy('submission.id', 'DESC')
      .getRawMany<{ origin: string | null }>();
    return [...new Set(rows.flatMap(({ origin }) => origin ?? []))];
  }

  async save({ id, spam, trash, spamReason, spamCode }: Submission): Promise<void> {
    await this.submissions.update({ id }, { spam, trash, spamReason, spamCode });
  }

  /**
   * Removes submissions. What counted is removed by a statement of its own, which says how many it were:
   * of two that remove the same at once, one does not count it.
   * @returns how many there were, and how many of them counted
   */
  async remove(ids: Buffer[]): Promise<{ removed: number; counted: number }> {
    const id = In(ids);
    const counting = await this.submissions.delete({ id, spam: false, trash: false });
    const others = await this.submissions.delete({ id });
    const counted = counting.affected ?? 0;
    return { removed: counted + (others.affected ?? 0), counted };
  }
}

/** Bytes as a key of a map. */
function keyOf(id: Buffer): string {
  return id.toString('latin1');
}
