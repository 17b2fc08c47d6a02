import { DiscoveryService } from '@nestjs/core';
import type { EntityManager } from 'typeorm';

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

/** Marks a provider as a projection. */
export const Projected = DiscoveryService.createDecorator<{
  /** The tables whose rows it forgets. */
  tables: readonly string[];
  /** Whether its rows stay without their submission until they end by themselves. */
  areStaying?: boolean;
  /** Whether a task takes back later what follows from them, and removes them then. */
  areTakenBack?: boolean;
}>();
