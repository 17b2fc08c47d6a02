import { Room } from '../platform/room.js';
import * as parts from './canary.parts.module.js';

/** Proves that forms reach the service, and that what arrives goes on. */
@Room(parts)
export class CanaryModule {}
