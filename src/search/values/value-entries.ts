import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { SubmittedValues } from '../../submissions/model/submitted-values.js';
import { digestsOf } from '../../submissions/model/value-digests.js';
import { keyOf } from '../../submissions/rows/byte-pieces.js';
import type { DigestedEntry } from '../../submissions/storage/submission-batch.entity.js';
import { TextMover } from '../texts/text-mover.js';
import { ValueIndexRepository } from './value-index.repository.js';

/** Makes and removes entries of the index of values, with the submissions of them locked. */
@Injectable()
export class ValueEntries {
  constructor(
    private readonly index: ValueIndexRepository,
    private readonly texts: TextMover,
  ) {}

  /**
   * Removes the entries of submissions that are gone; of edited ones those of values that they do not have any more.
   * @returns the ids of those that are gone
   */
  async remove(
    tx: EntityManager,
    formId: number,
    entries: readonly DigestedEntry[],
  ): Promise<Buffer[]> {
    const kept = new Map<string, ReadonlySet<string>>();
    const ids = entries.map(({ id }) => id);
    for await (const some of this.texts.lock(tx, ids)) {
      for (const { id, payload } of some) kept.set(keyOf(id), new Set(valueDigestsOf(payload)));
    }
    await this.index.in(tx).remove(
      formId,
      entries.map(({ id, digests }) => {
        return { id, digests: digests.filter((digest) => !kept.get(keyOf(id))?.has(digest)) };
      }),
    );
    return ids.filter((id) => !kept.has(keyOf(id)));
  }

  /**
   * Makes the entries of those submissions that are still there, and the texts of those that are entered as a whole.
   * @param later entries of theirs that are made in another transaction
   */
  async make(
    tx: EntityManager,
    entries: readonly DigestedEntry[],
    later: readonly DigestedEntry[] = [],
  ): Promise<void> {
    const digests = new Map(entries.map((entry) => [keyOf(entry.id), entry.digests]));
    const isLater = new Set(later.map(({ id }) => keyOf(id)));
    const ids = entries.map(({ id }) => id);
    for await (const some of this.texts.lock(tx, ids)) {
      await this.index
        .in(tx)
        .insert(
          some.map(({ id, formId }) => ({ id, formId, digests: digests.get(keyOf(id)) ?? [] })),
        );
      const whole = some.filter(({ id }) => !isLater.has(keyOf(id)));
      await this.texts.keep(tx, whole);
    }
  }
}

/** Returns the digests of stored values, and of no place that is known. */
function valueDigestsOf(payload: string): string[] {
  const values = SubmittedValues.decode(payload);
  return digestsOf({ values, origin: null, referer: null, country: null });
}
