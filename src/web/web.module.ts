import { Room } from '../platform/room.js';
import * as parts from './web.parts.module.js';

/** Wires the pages for people who sign in. */
@Room(parts)
export class WebModule {}
