import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/principal.js';
import type { JobMaker } from './bulk-job.entity.js';

/** Returns who made a job with what they may do now; null when they may do nothing any more. */
export type PrincipalNow = (maker: JobMaker) => Promise<Principal | null>;

/** Tells what the makers of jobs may do by now. Whoever knows that stands above and registers. */
@Injectable()
export class MakerRights {
  now: PrincipalNow = () => Promise.resolve(null);

  register(now: PrincipalNow): void {
    this.now = now;
  }
}
