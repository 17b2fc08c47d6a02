import { Injectable } from '@nestjs/common';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { In } from 'typeorm';
import { ReadManager } from '../platform/database/read-manager.js';
import { inPieces } from './byte-pieces.js';
import type { Folder } from './submission-filter.js';
import { BY_FOLDER } from './submission-ids.js';
import { Submission } from './submission.entity.js';
import { textSizes } from './text-sizes.repository.js';

/** Forms that one statement asks about: SQLite takes at most 500 parts in one. */
const FORMS_AT_ONCE = 100;
/** Values that are held in memory at once, in bytes; a single submission may have more. */
const LOADED_BYTES = 1024 * 1024;

/** Finds the newest submissions of many forms. */
@Injectable()
export class InboxRepository {
  constructor(private readonly source: ReadManager) {}

  /**
   * Returns the ids of the newest submissions of these forms, newest first. Each form is asked for
   * its own newest ones by its index, so that it costs the same however many there are.
   * @param before only what is older than this id; null for the newest of all
   */
  async newest(
    formIds: number[],
    folders: Folder[],
    before: Buffer | null,
    limit: number,
  ): Promise<Buffer[]> {
    const found = await this.idsOfEach(formIds, folders, before, limit);
    return found.sort((a, b) => b.compare(a)).slice(0, limit);
  }

  /** Returns the id of the newest submission of each form and folder that has one. */
  async latestOfEach(
    formIds: number[],
    folders: Folder[],
  ): Promise<[formId: number, id: Buffer][]> {
    const ids = await this.idsOfEach(formIds, folders, null, 1);
    const found: [number, Buffer][] = [];
    for (let from = 0; from < ids.length; from += FORMS_AT_ONCE) {
      const rows = await this.source.manager.getRepository(Submission).find({
        select: { id: true, formId: true },
        where: { id: In(ids.slice(from, from + FORMS_AT_ONCE)) },
      });
      found.push(...rows.map(({ formId, id }): [number, Buffer] => [formId, id]));
    }
    return found;
  }

  /** Reads submissions in the order of these ids, in pieces of at most LOADED_BYTES. */
  async *load(ids: Buffer[]): AsyncGenerator<Submission[]> {
    const sizes = await textSizes(this.source.manager, ids, 'payload');
    for (const piece of inPieces(ids, sizes, LOADED_BYTES)) {
      const where = { id: In(piece) };
      yield await this.source.manager
        .getRepository(Submission)
        .find({ where, order: { id: 'DESC' } });
      await nextTurn();
    }
  }

  private async idsOfEach(
    formIds: number[],
    folders: Folder[],
    before: Buffer | null,
    limit: number,
  ): Promise<Buffer[]> {
    const found: Buffer[] = [];
    for (let from = 0; from < formIds.length; from += FORMS_AT_ONCE) {
      const some = formIds.slice(from, from + FORMS_AT_ONCE);
      const wanted = some.flatMap((id) => folders.map(({ trash, spam }) => ({ id, trash, spam })));
      const older = before ? 'AND id < ? ' : '';
      const parts = wanted.map(
        (_, index) =>
          `SELECT id FROM (SELECT id FROM submissions ${BY_FOLDER} WHERE form_id = ? AND trash = ? AND spam = ? ${older}ORDER BY id DESC LIMIT ?) AS f${index}`,
      );
      const parameters = wanted.flatMap(({ id, trash, spam }) => {
        const position = before ? [before] : [];
        return [id, Number(trash), Number(spam), ...position, limit];
      });
      const rows = await this.source.manager.query<{ id: Buffer }[]>(
        parts.join(' UNION ALL '),
        parameters,
      );
      found.push(...rows.map(({ id }) => id));
    }
    return found;
  }
}
