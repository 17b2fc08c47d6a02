import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { Config } from '../../platform/config/config.js';
import { Hooks } from '../../platform/hooks/hooks.js';
import { diskSpaceAt } from '../../platform/kernel/byte-size.js';
import { logOutput } from '../../platform/logging/json-logger.js';
import {
  askedSeldom,
  gauge,
  Measured,
  measureNode,
  type Metric,
  textOf,
} from '../../platform/metrics/metrics.js';

/** The text format of Prometheus. */
const MEDIA_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Renders the metrics of all rooms, of this process and of Node itself in the text format of Prometheus. */
@Injectable()
export class Metrics {
  readonly mediaType = MEDIA_TYPE;
  private node: Promise<Registry> | null = null;
  private readonly disk = askedSeldom(() => diskSpaceAt(this.config.dataDir));

  constructor(
    private readonly config: Config,
    private readonly hooks: Hooks,
  ) {}

  /** Returns all metrics with their values now. The first call begins to measure Node itself. */
  async text(): Promise<string> {
    const node = await (this.node ??= measureNode());
    const all: Metric[] = [];
    // One after the other, so that those of the pools do not count queries of the others.
    for (const { run } of this.hooks.all(Measured)) all.push(...(await run()));
    return `${await textOf(all)}\n${await node.metrics()}`;
  }

  @Measured()
  async metrics() {
    const disk = await this.disk();
    return [
      gauge('fcs_data_size_bytes', 'Size of the file system of DATA_DIR.', disk?.size ?? null),
      gauge(
        'fcs_data_free_bytes',
        'What is free on the file system of DATA_DIR.',
        disk?.free ?? null,
      ),
      gauge(
        'fcs_log_lines_lost',
        'Log lines since the start that could not be written.',
        logOutput.lost,
      ),
    ];
  }
}
