import { Room } from '../platform/room.js';
import * as parts from './destinations.parts.module.js';

@Room(parts)
export class DestinationsModule {}
