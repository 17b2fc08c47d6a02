import { Room } from '../platform/room.js';
import * as parts from './watch.parts.module.js';

/** Watches whether forms live as they used to. */
@Room(parts)
export class WatchModule {}
