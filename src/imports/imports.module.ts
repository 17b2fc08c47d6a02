import { Room } from '../platform/room.js';
import * as parts from './imports.parts.module.js';

/** Imports submissions from other services. */
@Room(parts)
export class ImportsModule {}
