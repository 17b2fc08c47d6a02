import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config.js';
import { pingRedis } from '../../platform/rate-limits/redis-rate-counts.js';
import type { Check, Finding } from './check.js';

/** Whether the Redis that instances are to share their limits through answers. */
@Injectable()
export class RedisCheck implements Check {
  readonly name = 'redis';

  constructor(private readonly config: Config) {}

  async run(): Promise<Omit<Finding, 'name'>> {
    const { redisUrl, database } = this.config;
    if (redisUrl === undefined) {
      const shared = database.kind === 'server' ? 'shared through the database' : 'of one process';
      return { state: 'ok', detail: `REDIS_URL is not set: limits are ${shared}.` };
    }
    try {
      await pingRedis(redisUrl);
    } catch (error) {
      const { code, message } = error as { code?: string; message: string };
      const detail = `Redis cannot be used (${code ?? message}), and each instance limits by itself; is REDIS_URL right?`;
      return { state: 'failed', detail };
    }
    return { state: 'ok', detail: 'Redis answers; instances share their limits through it.' };
  }
}
