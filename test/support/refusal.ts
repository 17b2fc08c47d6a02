import type { Response } from 'supertest';

/** An error as the API tells it. */
export interface ProblemBody {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  errors?: { field: string; code: string; message: string }[];
}

/**
 * Checks that an answer is the problem `code` (RFC 9457) and, where `fields` are given, that it blames
 * exactly these. Made for supertest's `expect`.
 */
export function refusal(status: number, code: string, ...fields: string[]) {
  return (response: Response): void => {
    const body = response.body;
    expect({ status: response.status, type: body.type }).toEqual({
      status,
      type: `urn:form-collection-service:problem:${code}`,
    });
    expect(response.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(body.status).toBe(status);
    if (fields.length > 0) expect(blamed(response)).toEqual(fields.sort());
  };
}

/** Returns the fields at fault in an answer, sorted. */
function blamed(response: Response): string[] {
  const { errors = [] } = response.body as ProblemBody;
  return errors.map(({ field }) => field).sort();
}
