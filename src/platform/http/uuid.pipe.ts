import type { PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { parseUuid } from '../kernel/uuid.js';

/** Reads a UUID from the path; null for what is none, to be answered like an unknown one. */
export const Uuid: PipeTransform<string, Buffer | null> = {
  transform: (text: string) => parseUuid(text.toLowerCase()),
};

/** Describes such a part of the path: the framework cannot tell that what becomes bytes is sent as text. */
export const UuidInPath = (name: string) =>
  ApiParam({ name, schema: { type: 'string', format: 'uuid' } });
