import type { PipeTransform } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import { uuidOf } from '../kernel/uuid.js';

/** Reads a UUID from the path; null for other text, which is answered like an unknown id. */
export const Uuid: PipeTransform<string, Buffer | null> = {
  transform: uuidOf,
};

/** Describes such a parameter to the OpenAPI document, which would otherwise show the type `Buffer`. */
export const UuidInPath = (name: string) =>
  ApiParam({ name, schema: { type: 'string', format: 'uuid' } });
