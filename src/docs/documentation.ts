import { Injectable } from '@nestjs/common';
import { Config } from '../platform/index.js';
import type { Site } from './site.js';

/** All pages and their search. What makes them is loaded at the first request. */
@Injectable()
export class Documentation {
  private made: Promise<Site> | undefined;

  constructor(private readonly config: Config) {}

  site(): Promise<Site> {
    return (this.made ??= import('./site.js').then(({ Site }) => new Site(this.config.baseUrl)));
  }
}
