import { getSchemaPath } from '@nestjs/swagger';

const TEXT = { type: 'string' };
const NULL = { type: 'null' };
const FIELDS = { type: 'object', additionalProperties: true };
const SUCCESS = {
  type: 'object',
  description: 'What a script is told when its submission is stored.',
  required: ['success', 'ok', 'status', 'code', 'message', 'submission_text', 'next', 'redirect', 'id'],
  properties: {
    success: { enum: [true] },
    ok: { enum: [true] },
    status: { enum: ['success'] },
    code: { enum: [200] },
    message: TEXT,
    submission_text: TEXT,
    next: { type: 'string', format: 'uri' },
    redirect: { anyOf: [{ type: 'string', format: 'uri' }, NULL] },
    id: { type: 'string', format: 'uuid' },
  },
};
const FAILURE = {
  type: 'object',
  description: 'What a script is told when its submission is not stored.',
  required: ['success', 'ok', 'status', 'code', 'message', 'error', 'errors'],
  properties: {
    success: { enum: [false] },
    ok: { enum: [false] },
    status: { enum: ['error'] },
    code: { type: 'integer' },
    message: TEXT,
    error: TEXT,
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['field', 'code', 'message'],
        properties: { field: { anyOf: [TEXT, NULL] }, code: TEXT, message: TEXT },
      },
    },
  },
};
const PAGE = { 'text/html': { schema: TEXT } };

/** Schemas of the intake's responses, for the OpenAPI document. */
export const intakeSchemas = { SubmissionSuccess: SUCCESS, SubmissionFailure: FAILURE };

/** The intake's route, by hand: it stands before the framework's router, which cannot describe it. */
export const intakePaths = {
  '/f/{identifier}': {
    post: {
      operationId: 'Intake_submit',
      summary: 'Submit a form. No token is needed; any origin may send.',
      tags: ['Intake'],
      security: [{}],
      parameters: [
        { name: 'identifier', required: true, in: 'path', schema: { type: 'string' } },
        {
          name: 'Idempotency-Key',
          required: false,
          in: 'header',
          description: 'Repeats the first answer for 24 hours; 1 to 255 characters.',
          schema: { type: 'string' },
        },
      ],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': { schema: FIELDS },
          'multipart/form-data': { schema: FIELDS },
          'application/json': { schema: FIELDS },
        },
      },
      responses: {
        200: {
          description: 'Stored. What scripts get, and clients that do not name text/html in Accept.',
          content: { 'application/json': { schema: { $ref: getSchemaPath('SubmissionSuccess') } } },
        },
        303: { description: 'Stored. Where a browser goes from here is in Location.' },
        default: {
          description: 'Not stored.',
          content: { 'application/json': { schema: { $ref: getSchemaPath('SubmissionFailure') } }, ...PAGE },
        },
      },
    },
  },
};
