import type { PipeTransform } from '@nestjs/common';
import { parseUuid } from '../shared/uuid.js';

/** Reads a UUID from the path; null for what is none, to be answered like an unknown one. */
export const Uuid: PipeTransform<string, Buffer | null> = {
  transform: (text: string) => parseUuid(text.toLowerCase()),
};
