import type { PipeTransform } from '@nestjs/common';

/** Largest id an INT column holds. */
const MAX_ID = 2_147_483_647;
const NO_RECORD = 0;

/** Reads an id. Text that cannot be one becomes an id that no row has, so that it is answered like any unknown one. */
export function recordIdOf(text: string): number {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : NO_RECORD;
  return id > MAX_ID ? NO_RECORD : id;
}

/** Reads an id from the path. */
export const RecordId: PipeTransform<string, number> = { transform: recordIdOf };
