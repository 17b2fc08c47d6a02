import { ApiOkResponse } from '@nestjs/swagger';

/** Describes a successful answer that is not JSON, to the OpenAPI document; `binary` for bytes. */
export const Sends = (mediaType: string, { binary = false } = {}) =>
  ApiOkResponse({
    content: { [mediaType]: { schema: { type: 'string', ...(binary && { format: 'binary' }) } } },
  });
