import { Room } from '../platform/room.js';
import * as parts from './jobs.parts.module.js';

/** Runs jobs on all submissions of a filter: changes, new verdicts, exports. */
@Room(parts)
export class JobsModule {}
