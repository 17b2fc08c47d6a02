import type { PipeTransform } from '@nestjs/common';

/** Largest id an INT column holds. */
const MAX_ID = 2_147_483_647;
const NO_RECORD = 0;

/**
 * Reads an id from the path. Text that cannot be an id becomes one that no row has, so that it is
 * answered like any other unknown id.
 */
export const RecordId: PipeTransform<string, number> = {
  transform(text: string): number {
    const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : NO_RECORD;
    return id > MAX_ID ? NO_RECORD : id;
  },
};
