import { STATUS_CODES } from 'node:http';
import type { FieldProblem } from '../kernel/errors.js';

/** Media type of an error body (RFC 9457). */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** One field of the input and what is wrong with it. */
export class FieldProblemDto implements FieldProblem {
  /** Path of the field as it was sent, such as `form.webhook_url`. */
  field: string;
  /** Stable word for the broken rule, such as `too_long`. */
  code: string;
  /** What is wrong and how to mend it. */
  message: string;
}

/** An error as the API tells it (RFC 9457, problem details). */
export class ProblemDto {
  /** Names the kind of problem; stable, made to be compared. */
  type: string;
  /** The kind in words, the same for every occurrence. */
  title: string;
  /** The HTTP status, repeated. */
  status: number;
  /** What happened here and what can be done about it. */
  detail: string;
  /** This occurrence: the id under which the request stands in the log. */
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
