import { Room } from '../platform/room.js';
import * as parts from './submissions.parts.module.js';

/** Submissions: stored, shown, moved and erased. */
@Room(parts)
export class SubmissionsModule {}
