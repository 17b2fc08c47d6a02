import { Room } from '../platform/room.js';
import * as parts from './triage.parts.module.js';

/** Lets people work on submissions: marks, tags, assignees, notes, read states and presence. */
@Room(parts)
export class TriageModule {}
