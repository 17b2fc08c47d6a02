import type { NextFunction, Request, Response } from 'express';
import { hasBody } from '../platform/http/requests/has-body.js';

/**
 * Turns a POST without a body into a GET, with a GET's rights: the documented sample request for the list
 * is such a POST. With a body the same address creates a form.
 */
export function emptyPostIsGet(request: Request, _: Response, next: NextFunction): void {
  if (!hasBody(request)) request.method = 'GET';
  next();
}
