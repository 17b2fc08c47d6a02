import { text, type NextFunction, type Request, type Response } from 'express';
import { API_BODY_LIMIT_BYTES } from '../platform/http/bodies/api-body-limit.js';
import { parseClientParameters } from './client-parameters.js';

const URLENCODED = 'application/x-www-form-urlencoded';

/** Reads a urlencoded body as text; `clientParameters` makes sense of it. */
export const urlencodedText = text({ type: URLENCODED, limit: API_BODY_LIMIT_BYTES });

/**
 * Brings the three ways to send a client into one: bracketed parameters in the query string or in a
 * urlencoded body become the body that JSON callers send. The query string comes first, being the
 * contract's way.
 */
export function clientParameters(request: Request, _: Response, next: NextFunction): void {
  const body: unknown = request.body;
  const [, query = ''] = request.originalUrl.split(/\?(.*)/s);
  const sent =
    parseClientParameters(query) ??
    (typeof body === 'string' ? (parseClientParameters(body) ?? {}) : null);
  if (sent) request.body = sent;
  next();
}
