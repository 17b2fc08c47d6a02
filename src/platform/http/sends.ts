import { ApiOkResponse } from '@nestjs/swagger';

/** Describes a successful answer that is no JSON. `binary`: bytes, not text. */
export const Sends = (mediaType: string, { binary = false } = {}) =>
  ApiOkResponse({
    content: { [mediaType]: { schema: { type: 'string', ...(binary && { format: 'binary' }) } } },
  });
