import type { Actor, Principal } from '../../access/principal.js';
import type { Maker } from '../../platform/database/work-row.js';
import { hook } from '../../platform/hooks/hooks.js';

/** Asks what the maker of work may do now; null when they may do nothing any more. */
export const MakerRights = hook<(maker: Maker<Actor['kind']>) => Promise<Principal | null>>();
