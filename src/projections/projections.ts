import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import {
  Projected,
  type Edited,
  type Erased,
  type Forgotten,
  type Projection,
} from './projection.js';

/** Finds all projections, and has each of them follow what becomes of submissions. */
@Injectable()
export class Projections {
  constructor(private readonly discovery: DiscoveryService) {}

  /** Has what follows from submissions removed, in the transaction that removes them. */
  async forget(tx: EntityManager, erased: Erased): Promise<Required<Forgotten>> {
    const done: Forgotten[] = [];
    for (const { projection } of this.all()) {
      const forgotten = await projection.forget?.(tx, erased);
      if (forgotten) done.push(forgotten);
    }
    return {
      fileBytes: done.reduce((sum, { fileBytes = 0 }) => sum + fileBytes, 0),
      afterCommit: async () => {
        for (const each of done) await each.afterCommit?.();
      },
    };
  }

  /** Has what follows from the values of a submission changed, in the transaction that changes them. */
  async editValues(tx: EntityManager, edited: Edited): Promise<void> {
    for (const { projection } of this.all()) await projection.editValues?.(tx, edited);
  }

  /**
   * Has what is left of a deleted form removed.
   * @param signal stops it between two transactions
   * @returns whether nothing is left: not when it was stopped, or another instance is at it now
   */
  async forgetForm(formId: number, signal?: AbortSignal): Promise<boolean> {
    let isDone = true;
    for (const { projection } of this.all()) {
      if ((await projection.forgetForm?.(formId, signal)) === false) isDone = false;
    }
    return isDone && !signal?.aborted;
  }

  /** Returns the tables of all projections, or of those with this mark. */
  tables(mark?: 'areStaying' | 'areTakenBack'): string[] {
    return this.all().flatMap(({ about }) => (mark && !about[mark] ? [] : about.tables));
  }

  private all() {
    const found = this.discovery.getProviders({ metadataKey: Projected.KEY });
    return found.flatMap((provider) => {
      const about = this.discovery.getMetadataByDecorator(Projected, provider);
      return about ? [{ about, projection: provider.instance as Projection }] : [];
    });
  }
}
