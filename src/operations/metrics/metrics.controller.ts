import { Controller, Get, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Public } from '../../accounts/access/index.js';
import { AuthenticationRequired, InvalidToken, Config, RateLimits } from '../../platform/index.js';
import { RouteNotFound, Sends } from '../../platform/http/index.js';
import { hasMetricsToken, Metrics } from './metrics.js';

/** Serves metrics on the port of the API, when METRICS_TOKEN is set and METRICS_PORT is not. */
@Controller('metrics')
@Public()
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Show the metrics of this process in the text format of Prometheus. Needs METRICS_TOKEN as a bearer
   * token; 404 when that is not set, and when METRICS_PORT is.
   */
  @Get()
  @Sends('text/plain')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { authorization } = request.headers;
    const { metricsPort, metricsToken } = this.config;
    if (metricsToken === undefined || metricsPort !== undefined) throw new RouteNotFound();
    if (!hasMetricsToken(authorization, metricsToken)) {
      this.limits.countFailedAuth(request, response);
      throw authorization === undefined ? new AuthenticationRequired() : new InvalidToken();
    }
    const text = await this.metrics.text();
    response.set({ 'Content-Type': this.metrics.mediaType, 'Cache-Control': 'no-store' });
    response.send(text);
  }
}
