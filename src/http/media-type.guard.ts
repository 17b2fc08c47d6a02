import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { hasBody } from './has-body.js';
import { UnsupportedMediaType } from './http.errors.js';

/** Refuses a body that no parser of the route could read, instead of treating it as absent. */
@Injectable()
export class MediaTypeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (hasBody(request) && request.body === undefined) throw new UnsupportedMediaType();
    return true;
  }
}
