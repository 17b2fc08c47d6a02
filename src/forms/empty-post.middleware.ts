import type { NextFunction, Request, Response } from 'express';
import { hasBody } from '../platform/http/has-body.js';

/**
 * The documented sample of listing is a POST without a body; with a body the same address creates.
 * A POST without a body is therefore answered as the GET it means, with a GET's rights.
 */
export function emptyPostIsGet(request: Request, _: Response, next: NextFunction): void {
  if (!hasBody(request)) request.method = 'GET';
  next();
}
