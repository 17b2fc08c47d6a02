import { Room } from '../platform/room.js';
import * as parts from './search.parts.module.js';

/** Finds submissions: by filter, by text, by value, by visitor and by origin. */
@Room(parts)
export class SearchModule {}
