import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';
import { Injectable } from '@nestjs/common';
import { removeGoing, tablesGoing, UnitOfWork } from '../platform/database/index.js';

/** Submissions that a transaction removes. */
export interface Erased {
  /** Null where only their ids are known: their form is gone too, and with it what is kept by form. */
  formId: number | null;
  ids: Buffer[];
  /** Digests of their indexed values; empty without a form. */
  values: readonly { id: Buffer; digests: string[] }[];
}

/** A submission whose values a transaction changes, with the digests of its indexed values that go and come. */
export interface Edited {
  formId: number;
  id: Buffer;
  gone: string[];
  come: string[];
}

/** Work left once rows are removed. */
export interface Forgotten {
  /** Bytes of files that the form has no more. */
  fileBytes?: number;
  /** Removes what is not in the database. */
  afterCommit?(): Promise<void>;
}

/** Keeps rows that follow from submissions, or belong to a form. */
export interface Projection {
  /** Removes what follows from submissions, in the transaction that removes them. */
  forget?(tx: EntityManager, erased: Erased): Promise<Forgotten> | Promise<void>;
  /** Changes what follows from the values of a submission, in the transaction that changes them. */
  editValues?(tx: EntityManager, edited: Edited): Promise<void>;
  /**
   * Removes what is left of a deleted form, in small transactions.
   * @param signal stops it between two of them
   * @returns false when some is left, as where another instance is at it now
   */
  forgetForm?(formId: number, signal?: AbortSignal): Promise<boolean> | Promise<void>;
}

/** Marks a provider as a projection; a table whose rows merely go says so itself, by `@GoesWith`. */
export const Projected = DiscoveryService.createDecorator<{
  /** The tables whose rows it forgets. */
  tables: readonly string[];
  /** Whether its rows stay without their submission until they end by themselves. */
  areStaying?: boolean;
  /** Whether a task takes back later what follows from them, and removes them then. */
  areTakenBack?: boolean;
}>();

/** Finds all projections, and has each of them follow what becomes of submissions. */
@Injectable()
export class Projections {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Has what follows from submissions removed, in the transaction that removes them. */
  async forget(tx: EntityManager, erased: Erased): Promise<Required<Forgotten>> {
    await removeGoing(tx, 'submissionId', erased.ids);
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
  async editValues(tx: EntityManager, edited: Edited) {
    for (const { projection } of this.all()) await projection.editValues?.(tx, edited);
  }

  /**
   * Has what is left of a deleted form removed.
   * @param signal stops it between two transactions
   * @returns whether nothing is left: not when it was stopped, or another instance is at it now
   */
  async forgetForm(formId: number, signal?: AbortSignal) {
    await this.unitOfWork.run((tx) => removeGoing(tx, 'formId', [formId]));
    let isDone = true;
    for (const { projection } of this.all()) {
      if ((await projection.forgetForm?.(formId, signal)) === false) isDone = false;
    }
    return isDone && !signal?.aborted;
  }

  /** Returns the tables of all projections, or of those with this mark. */
  tables(mark?: 'areStaying' | 'areTakenBack'): string[] {
    const declared = this.all().flatMap(({ about }) => (mark && !about[mark] ? [] : about.tables));
    return mark ? declared : [...declared, ...tablesGoing()];
  }

  private all() {
    const found = this.discovery.getProviders({ metadataKey: Projected.KEY });
    return found.flatMap((provider) => {
      const about = this.discovery.getMetadataByDecorator(Projected, provider);
      return about ? [{ about, projection: provider.instance as Projection }] : [];
    });
  }
}
