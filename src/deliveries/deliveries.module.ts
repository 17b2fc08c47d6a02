import { Room } from '../platform/room.js';
import * as parts from './deliveries.parts.module.js';

@Room(parts)
export class DeliveriesModule {}
