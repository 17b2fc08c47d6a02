import { Room } from '../platform/room.js';
import * as parts from './reports.parts.module.js';

/** Reports to clients what their forms received. */
@Room(parts)
export class ReportsModule {}
