import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Config } from '../config/config.js';
import { addressOf, networkOf } from '../http/requests/requests.js';
import { RateLimits } from './rate-limits.js';

/** Limits the routes for visitors. */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Counts the request.
   * @throws RateLimited
   */
  canActivate(context: ExecutionContext) {
    const http = context.switchToHttp();
    const address = addressOf(http.getRequest<Request>(), this.config);
    this.limits.admit('address', networkOf(address), http.getResponse<Response>());
    return true;
  }
}
