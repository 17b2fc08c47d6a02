import type { Principal } from '../../access/principal.js';
import { hook } from '../../platform/hooks/hooks.js';
import type { JobMaker } from './bulk-job.entity.js';

/** Asks what the maker of a job may do now; null when they may do nothing any more. */
export const MakerRights = hook<(maker: JobMaker) => Promise<Principal | null>>();
