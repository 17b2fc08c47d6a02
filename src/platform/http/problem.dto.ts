import { STATUS_CODES } from 'node:http';
import type { FieldProblem } from '../kernel/errors.js';

/** Media type of an error body (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** A field of the input with its problem. */
export class FieldProblemDto implements FieldProblem {
  /** Path of the field as it was sent, such as `form.webhook_url`. */
  field: string;
  /** Stable name of the broken rule, such as `too_long`. */
  code: string;
  /** A sentence about what is wrong and how to mend it. */
  message: string;
}

/** An error of the API (RFC 9457, problem details). */
export class ProblemDto {
  /** Stable URI of the kind of problem, for programs to compare. */
  type: string;
  /** The kind in words, the same for every error of the kind. */
  title: string;
  /** The HTTP status. */
  status: number;
  /** Says what is wrong and how to fix it. */
  detail: string;
  /** Id of the request, under which the log has more. */
  instance: string;
  /** Each field at fault, for errors about input. */
  errors?: FieldProblemDto[];
}

/** Builds the body of an error. `code` becomes the last part of `type`. */
export function problem(
  status: number,
  code: string,
  detail: string,
  requestId: string,
  errors: FieldProblem[] = [],
): ProblemDto {
  return {
    type: `urn:form-collection-service:problem:${code}`,
    title: STATUS_CODES[status] ?? 'Error',
    status,
    detail,
    instance: `urn:uuid:${requestId}`,
    ...(errors.length > 0 && { errors }),
  };
}
