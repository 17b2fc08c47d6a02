import { Room } from '../platform/room.js';
import * as parts from './statistics.parts.module.js';

/** Counts submissions by time, by facet and by verdict. */
@Room(parts)
export class StatisticsModule {}
