import { Room } from '../platform/room.js';
import * as parts from './bounces.parts.module.js';

@Room(parts)
export class BouncesModule {}
