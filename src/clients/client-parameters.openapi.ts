import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';

/** Describes the bracketed parameters, which no DTO can: they are read before the framework sees them. */
export const ClientParametersInQuery = () =>
  applyDecorators(
    ApiQuery({ name: 'client[name]', required: false, schema: { type: 'string' } }),
    ApiQuery({
      name: 'client[email]',
      required: false,
      schema: { type: 'string', format: 'email' },
    }),
    ApiQuery({ name: 'client[can_create_forms]', required: false, schema: { type: 'boolean' } }),
    ApiQuery({
      name: 'client[form_ids]',
      required: false,
      description:
        'Ids of forms: `[1,2]`, `1,2`, or `client[form_ids][]` or `client[form_ids][0]` for each.',
      schema: { type: 'string', examples: ['[1,2]'] },
    }),
  );
