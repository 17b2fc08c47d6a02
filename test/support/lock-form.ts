import type { EntityManager } from 'typeorm';
import { UnitOfWork } from '../../src/platform/database/unit-of-work.js';
import { FormQueries } from '../../src/forms/form-queries.service.js';
import type { Service } from './service.js';

/**
 * Locks the row of a form, so that its submissions wait.
 * @returns a function that runs `last` in the transaction of the lock, and ends it
 */
export async function lockForm(
  { app }: Service,
  formId: number,
): Promise<(last?: (tx: EntityManager) => Promise<unknown>) => Promise<void>> {
  let release: (last: (tx: EntityManager) => Promise<unknown>) => void = () => undefined;
  const released = new Promise<(tx: EntityManager) => Promise<unknown>>((resolve) => {
    release = resolve;
  });
  let holding: Promise<unknown> = Promise.resolve();
  await new Promise<void>((held) => {
    holding = app.get(UnitOfWork).run(async (tx) => {
      await app.get(FormQueries).lockCount(tx, formId);
      held();
      const last = await released;
      await last(tx);
    });
  });
  return async (last = () => Promise.resolve()) => {
    release(last);
    await holding;
  };
}
